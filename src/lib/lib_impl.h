/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the public API and the floors below; private to src/lib and wasm/. A public profile
 * is an as_profile under another name; what else is opaque wraps one struct of a lower floor.
 */
#ifndef AS_LIB_LIB_IMPL_H
#define AS_LIB_LIB_IMPL_H

#include "assay/assay.h"
#include "formats/format.h"

struct as_listings;
struct as_table;

struct assay_allocator {
	struct as_alloc al;
};

struct assay_findings {
	const struct as_alloc *al;
	struct as_findings f;
};

struct assay_losses {
	const struct as_alloc *al;
	struct as_losses l;
};

static inline const struct as_alloc *as_lib_alloc(const struct assay_allocator *al)
{
	return al ? &al->al : &as_alloc_libc;
}

static inline const struct as_profile *as_lib_profile(const struct assay_profile *prof)
{
	return (const struct as_profile *)(const void *)prof;
}

static inline struct assay_profile *as_lib_give_profile(struct as_profile *prof)
{
	return (struct assay_profile *)(void *)prof;
}

static inline struct as_losses *as_lib_losses(struct assay_losses *l)
{
	return l ? &l->l : NULL;
}

/* A slice on its way out has a P; one on its way in need not. */
static inline struct assay_slice as_lib_slice(struct as_slice s)
{
	return (struct assay_slice){s.p ? s.p : "", s.len};
}

static inline struct as_slice as_lib_text(struct assay_slice s)
{
	return (struct as_slice){s.p, s.p ? s.len : 0};
}

static inline struct assay_value as_lib_value(as_val v)
{
	return (struct assay_value){(uint64_t)v, (int64_t)(v >> 64)};
}

static inline void as_lib_values(struct assay_value *to, const as_val *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = as_lib_value(from[i]);
}

static inline as_val as_lib_val(struct assay_value v)
{
	return (as_val)((as_uval)v.high << 64 | v.low);
}

/*
 * Copy the caller's struct GIVEN, which begins with its size, to OWN of KNOWN bytes; NULL is all
 * zero. False if it is no such struct, or asks for something that is not known here.
 */
bool as_lib_take(void *own, size_t known, const void *given) AS_NODISCARD;
/* Copy OWN to the caller's TO, as much as TO has room for. False if TO has no size. */
enum assay_code as_lib_give(void *to, const void *own, size_t known) AS_NODISCARD;

/* How a call ends: RC, with ERR's description in OUT, which may be NULL. */
enum assay_code as_lib_end(enum as_code rc, const struct as_err *err, struct assay_error *out);
/* The caller's mistake: ASSAY_E_ARG. */
enum assay_code as_lib_misuse(struct assay_error *out, const char *what);

/* The same profile, of its own memory. */
enum as_code as_lib_copy(const struct as_profile *prof, struct as_profile **out, struct as_err *err)
	AS_NODISCARD;
/* As assay_project(), of a table that is there already and outlives *OUT. */
enum as_code as_lib_table(const struct as_table *t, struct assay_table **out) AS_NODISCARD;
/* The functions that were found, to be listed. */
struct as_listings *as_lib_found(struct assay_found *found);

/* Read SRC as O says; NAME is the input's. */
enum as_code as_lib_open(struct as_src *src, const struct assay_open_options *o,
	struct as_profile **out, struct as_err *err) AS_NODISCARD;
/* Take and check the caller's options. */
enum as_code as_lib_open_options(struct assay_open_options *o,
	const struct assay_open_options *given, struct as_err *err) AS_NODISCARD;

/* A profile on its way to bytes. */
struct as_lib_writing {
	struct assay_write_options o;
	const struct as_format *fmt;
	const struct as_profile *prof; /* as the format can carry it; borrowed */
	struct as_profile *adapted;    /* made for that, or NULL */
	struct as_losses losses;
	bool told; /* the caller's losses know them */
	uint32_t n_pieces;
	struct as_err err;
};
/* PATH tells the format where the options do not; may be NULL. Always ends in write_end(). */
enum as_code as_lib_write_begin(struct as_lib_writing *w, const struct assay_profile *prof,
	const struct assay_write_options *given, const char *path) AS_NODISCARD;
/* Write the piece that the options say. AS_E_UNSUPPORTED: what SINK got must not be used,
 * because something is lost and nothing may be. */
enum as_code as_lib_write_to(struct as_lib_writing *w, struct as_sink *sink) AS_NODISCARD;
/* Tell the caller's losses and release; returns how it all went. */
enum assay_code as_lib_write_end(struct as_lib_writing *w, enum as_code rc, struct assay_error *err)
	AS_NODISCARD;

/* ---- what a host adds: lib_host.c has an OS, wasm/exports.c has none ---- */
/* Make EX run THREADS at a time; false where there is one only. */
bool as_lib_host_exec(struct as_exec *ex, uint32_t threads) AS_NODISCARD;
struct as_read_opts; /* session/read.h */
/* What HOW knows by libraries: zstd inside of files, XML. */
void as_lib_host_how(struct as_read_opts *how);
/* Undo the compression that MAGIC, the first bytes of *SRC, tells: *SRC becomes a source that is
 * closed with its close(), if it has one. */
enum as_code as_lib_host_layer(const struct as_alloc *al, struct as_src **src,
	struct as_slice magic, struct as_err *err) AS_NODISCARD;

#endif
