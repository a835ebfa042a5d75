/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns of filters as people write them, and parts as they name them; docs/filters.md has the
 * rules. What matches a pattern is the caller's: regular expressions are not of this floor.
 */
#ifndef AS_CHANGE_FILTER_PATTERN_H
#define AS_CHANGE_FILTER_PATTERN_H

#include "change/filter/filter.h"

struct as_pattern {
	unsigned fields;      /* AS_MATCH_* */
	struct as_slice text; /* the expression: the end of what was written, or in BUF */
	bool ignore_case;     /* it has no capital letter */
	char buf[1024];
};

/*
 * "fn:RE", "file:RE", "obj:RE", or RE alone. LITERAL: "[gzip+0x4330]", as tables show a function
 * without a name, is no class of characters. False: an object can be chosen by its name only.
 */
AS_NODISCARD bool as_pattern_read(
	struct as_pattern *p, enum as_filter_kind kind, struct as_slice text, bool literal);

/* "function, file or object" */
const char *as_match_fields_text(unsigned fields);

/* "[gzip+0x4330]" */
bool as_is_row_name(struct as_slice what);
/* Smart case: PATTERN has no capital letter, so that it ignores case. Those of classes such as
 * \W or \pL are none. */
bool as_pattern_is_lower(struct as_slice pattern);

/* A regular expression that matches each text that has a matching one in it: none of its words look
 * at what stands around them. False where that takes more than a glance at the PATTERN. */
bool as_pattern_is_inside(struct as_slice pattern);

/* ---- parts ---- */

struct as_texts {
	const char *const *p;
	size_t n;
};

/* One of each list is enough, all lists must agree, an empty one says nothing. */
struct as_part_choice {
	struct as_texts thread;  /* number or name: see model/whose.h */
	struct as_texts part;    /* number or name */
	struct as_texts process; /* as thread */
	struct as_texts unit;    /* what the label "unit" says, systemd's */
	struct as_texts label;   /* "KEY=VALUE", or "KEY": any of it */
};

bool as_choose_part(const struct as_profile *prof, const struct as_part_choice *choice, size_t i);
/* Which parts count; KEEP has room for one of each. False if none does. */
bool as_choose_parts(
	const struct as_profile *prof, const struct as_part_choice *choice, uint8_t *keep);

#endif
