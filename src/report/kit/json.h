/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A streaming JSON writer over as_out. Commas, line breaks and escapes are its
 * business; opening and closing in the right order is the caller's.
 *
 * The two outermost levels stand on lines of their own, what is deeper on one line, so
 * that a row of a table is a line. Strings: control characters as \u00NN; bytes that
 * are not UTF-8 as the four characters \xNN (in JSON: "\\xNN"), because a JSON text must
 * be UTF-8. Integers are written exactly, however large; for readers whose numbers are doubles,
 * as JavaScript's are, those beyond 2^53 can be strings of their digits.
 */
#ifndef AS_REPORT_KIT_JSON_H
#define AS_REPORT_KIT_JSON_H

#include "io/out.h"
#include "model/profile.h"

enum { AS_JSON_LINES = 2, AS_JSON_DEPTH = 32 };

/* What as_json_init() sets LARGE_AS_TEXT to. The program's JSON has numbers; the engine of the page
 * (wasm/) is built with strings. */
#ifndef AS_JSON_LARGE_AS_TEXT
#define AS_JSON_LARGE_AS_TEXT false
#endif

struct as_json {
	struct as_out *out; /* borrowed */
	unsigned depth;
	uint32_t some;      /* bit per level: it holds something already */
	bool large_as_text; /* integers beyond 2^53, either sign, are strings */
};

void as_json_init(struct as_json *j, struct as_out *out);
/* The document is complete: a line end. */
void as_json_finish(struct as_json *j);

/* KEY is NULL for an element of an array and for the document itself. */
void as_json_object(struct as_json *j, const char *key);
void as_json_object_end(struct as_json *j);
void as_json_array(struct as_json *j, const char *key);
void as_json_array_end(struct as_json *j);

void as_json_text(struct as_json *j, const char *key, struct as_slice s);
/* The same, but an empty S is null: not known. */
void as_json_text_or_null(struct as_json *j, const char *key, struct as_slice s);
void as_json_val(struct as_json *j, const char *key, as_val v);
void as_json_val_or_null(struct as_json *j, const char *key, bool known, as_val v);
void as_json_double(struct as_json *j, const char *key, double x); /* null if it is not finite */
/* DIGITS as they stand: a number, maybe with a point. What a double has not all of is large. */
void as_json_digits(struct as_json *j, const char *key, struct as_slice digits);
void as_json_bool(struct as_json *j, const char *key, bool v);
void as_json_null(struct as_json *j, const char *key);
/* "0x1234" */
void as_json_addr(struct as_json *j, const char *key, uint64_t addr);
/* [1, 2, 3] */
void as_json_vals(struct as_json *j, const char *key, const as_val *v, size_t n);

/* ---- how answers about a profile begin ---- */
/* "profile": {...}; SHAPE ("places"): of what was read, NULL: the profile's. */
void as_json_profile(struct as_json *j, const struct as_profile *prof, const char *shape,
	const char *const *files, size_t n_files);
/* "events": [...], the N columns EVENT with their totals. */
void as_json_events(
	struct as_json *j, const struct as_profile *prof, const uint32_t *event, uint32_t n);

#endif
