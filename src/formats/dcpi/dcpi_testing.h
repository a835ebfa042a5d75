/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of this folder share: files made from text and numbers, read and written. */
#ifndef AS_FORMATS_DCPI_DCPI_TESTING_H
#define AS_FORMATS_DCPI_DCPI_TESTING_H

#include "formats/dcpi/dcpi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "lib/mem_io.h"

extern const struct as_format as_format_dcpi;

/* The golden file of research, 324 bytes of header and 56 of body. */
extern const char as_dcpi_golden[];
enum { DCPI_GOLDEN = 380, DCPI_GOLDEN_HEADER = 324 };
/* Its header without the last line: nine required lines and a path. */
extern const char as_dcpi_golden_lines[];

#define GOLDEN_ROWS "12006cbb8:29 12006cbd0:10 12006cbd4:1 12006cbd8:2 12006cbe0:3 12006cbe8:2"

/* Bytes that grow. Zeroed is empty. */
struct dcpi_bytes {
	AS_VEC(char) data;
};
void as_dcpi_add(struct dcpi_bytes *f, const char *text);
/* A file of the golden header's lines, in which the line OLD is replaced by NEW ("" leaves it
 * out, NULL changes nothing), without its end. */
void as_dcpi_add_lines(struct dcpi_bytes *f, const char *old, const char *new);
/* The last line of a header, aligned. */
void as_dcpi_add_end(struct dcpi_bytes *f);
void as_dcpi_add_bytes(struct dcpi_bytes *f, const void *p, size_t n);
void as_dcpi_add_words(struct dcpi_bytes *f, const uint32_t *v, size_t n);
#define WORDS(f, ...)                                         \
	as_dcpi_add_words(f, (const uint32_t[]){__VA_ARGS__}, \
		sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
void as_dcpi_bytes_free(struct dcpi_bytes *f);

struct dcpi_how {
	bool strict;
	const char *opt; /* "stride=1" */
	size_t pipe;     /* bytes that a read gives; 0: a file */
};
void as_dcpi_read_bytes(struct mem_read *r, const char *p, size_t n, struct dcpi_how how);
void as_dcpi_read_file(struct mem_read *r, const struct dcpi_bytes *f);
uint64_t as_dcpi_found(const struct mem_read *r, enum as_finding_id id);
/* The text of the first finding of ID; "" without one. */
const char *as_dcpi_said(const struct mem_read *r, enum as_finding_id id);
/* Findings that are not only informative. */
uint64_t as_dcpi_complaints(const struct mem_read *r);

/* The self rows as "ADDR:COST ADDR:COST", hexadecimal and decimal. */
void as_dcpi_expect_rows(const struct as_profile *prof, const char *want);

/* PIECE of PROF. */
void as_dcpi_write_bytes(struct mem_written *w, const struct as_profile *prof, uint32_t piece);

#endif
