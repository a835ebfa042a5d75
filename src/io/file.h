/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files and pipes as sources of bytes. Those compressed by gzip or zstd are recognised by their
 * first bytes and decompressed on the way: the reader does not notice.
 */
#ifndef AS_IO_FILE_H
#define AS_IO_FILE_H

#include "base/alloc.h"
#include "base/err.h"
#include "io/in.h"
#include "io/unpack.h"
#include "io/xml_in.h"

/*
 * Told how far reading has come, in bytes of the file itself. MOVED may be called
 * from several threads at the same time.
 */
struct as_progress {
	/* DONE more bytes were read; TOTAL more are to be read. */
	void (*moved)(struct as_progress *pr, uint64_t done, uint64_t total);
	/* Whoever answers has not begun to: called now and then, by one thread. */
	void (*waits)(struct as_progress *pr);
};

/*
 * Open PATH; "-" is the standard input. PR may be NULL. The source is the caller's:
 * as_file_close(). Only an uncompressed regular file can be read with pread() and has
 * a known size.
 *
 * AS_E_IO with err->sys_errno if it cannot be opened, AS_E_UNSUPPORTED if it is
 * compressed in a way that this build does not know. Bad compressed data shows later:
 * read() fails with -EIO and sets src->fault.
 */
enum as_code as_file_open(const struct as_alloc *al, const char *path, struct as_progress *pr,
	struct as_src **out, struct as_err *err) AS_NODISCARD;
/* The same without undoing what it is compressed with: the file's bytes as they stand. */
enum as_code as_file_open_raw(const struct as_alloc *al, const char *path, struct as_progress *pr,
	struct as_src **out, struct as_err *err) AS_NODISCARD;
void as_file_close(struct as_src *src); /* NULL is fine */

/* SRC, or where MAGIC, its first bytes, says that it is compressed, the layer that undoes that:
 * it takes over SRC, also on failure. */
enum as_code as_file_unpack(const struct as_alloc *al, struct as_src *src, struct as_slice magic,
	struct as_src **out, struct as_err *err) AS_NODISCARD;

/* zstd, piece by piece; NULL if this build has none. */
const struct as_unpack *as_zstd_unpack(void);
/* XML; likewise. */
const struct as_xml *as_expat_xml(void);

/* GZ is one member of gzip, nothing before it or behind, that holds TEXT. */
bool as_gzip_holds(struct as_slice gz, struct as_slice text);

/* ---- the layers, for tests: both take over INNER, also on failure ---- */
enum as_code as_gzip_open(const struct as_alloc *al, struct as_src *inner, struct as_src **out,
	struct as_err *err) AS_NODISCARD;
enum as_code as_zstd_open(const struct as_alloc *al, struct as_src *inner, struct as_src **out,
	struct as_err *err) AS_NODISCARD;

bool as_zstd_is_built(void);
/* Versions of the libraries that run, "" without. Borrowed, constant. */
const char *as_zlib_version(void);
const char *as_zstd_version(void);
const char *as_expat_version(void);

#endif
