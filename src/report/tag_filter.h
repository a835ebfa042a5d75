/* SPDX-License-Identifier: Apache-2.0 */
/* tagfocus, tagignore: samples by their labels; tagshow, taghide: labels by their keys. As pprof
 * does; docs/filters.md defines them. */
#ifndef AS_REPORT_TAG_FILTER_H
#define AS_REPORT_TAG_FILTER_H

#include "model/profile.h"

enum as_tag_kind { AS_TAG_FOCUS, AS_TAG_IGNORE, AS_TAG_SHOW, AS_TAG_HIDE };
enum { AS_TAG_KINDS = AS_TAG_HIDE + 1 };
const char *as_tag_kind_text(enum as_tag_kind kind); /* "tagfocus" */

/* "1mb:2gb": a bound that is not there is not looked at. */
struct as_tag_range {
	bool has_low, has_high;
	double low, high;
	struct as_slice unit;
};

struct as_tag_pattern {
	bool (*match)(const void *ctx, struct as_slice text);
	const void *ctx;
};

struct as_tag_filter {
	enum as_tag_kind kind;
	struct as_slice key; /* p == NULL: any */
	bool is_range;
	struct as_tag_range range;
	const struct as_tag_pattern
		*pattern; /* the caller's: of each that as_tag_filter_next() gives */
	size_t n;
	bool matched;
};

/* What TEXT says, but for its patterns: those are in *REST, which is borrowed from it. */
void as_tag_filter_read(struct as_tag_filter *f, enum as_tag_kind kind, struct as_slice text,
	struct as_slice *rest);
/* The next pattern of REST; false: there is none left. */
bool as_tag_filter_next(const struct as_tag_filter *f, struct as_slice *rest, struct as_slice *one);

/* KEEP, of each part, becomes 0 where its samples go; LABEL, of each of prof->label, becomes 0
 * where it goes itself, else 1; NULL: nobody asks. *LEFT: some part stays. False if out of memory.
 */
AS_NODISCARD bool as_tag_filters_keep(struct as_tag_filter *f, size_t n,
	const struct as_profile *prof, uint8_t *keep, uint8_t *label, bool *left);

#endif
