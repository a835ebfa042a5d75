/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An input of JSON, window by window, however large it is:
 *
 *	as_json_in_open(&in, rd, rd->al);
 *	as_pull_object(&in.js);
 *	while (as_pull_key(&in.js, &key))
 *		...
 *	AS_TRY(as_json_in_end(&in));
 *
 * See base/pull.h. A text is good until the next call of as_pull_*(): what is kept is copied, or
 * becomes a handle of the builder.
 */
#ifndef AS_FORMATS_JSON_IN_H
#define AS_FORMATS_JSON_IN_H

#include "base/pull.h"
#include "formats/format.h"

struct as_json_in {
	struct as_pull js;
	struct as_rd *rd;
	struct as_arena escaped; /* texts that had escapes; emptied with each window */
	enum as_code rc;         /* of reading the input */
	bool kept;               /* the text ends too early, and that will do */
};

/* RD and AL outlive IN. A byte order mark is moved over. */
enum as_code as_json_in_open(struct as_json_in *in, struct as_rd *rd, const struct as_alloc *al)
	AS_NODISCARD;

/* Where the next byte stands in the input: for findings. */
uint64_t as_json_in_off(const struct as_json_in *in);

/* Values, for readers that end at the first that is not good: that is false, and js.why says why. A
 * number that is not below 0 and has no more than 64 bits; a text, copied into ARENA; and whether
 * there was room, as OK says, for what was read. */
bool as_json_in_count(struct as_json_in *in, uint64_t *v);
bool as_json_in_text(struct as_json_in *in, struct as_arena *arena, struct as_slice *to);
bool as_json_in_room(struct as_json_in *in, bool ok);

/* What is wrong with the input or its JSON, and where: AS_E_TRUNC if the text ends too early; else
 * AS_OK. All of IN's memory is AL's. */
enum as_code as_json_in_end(struct as_json_in *in) AS_NODISCARD;

/* If the text ends too early, what was read of it will do: the profile is partial, and
 * as_json_in_end() is AS_OK from now on. False: it does not, or reading failed otherwise. Values
 * that were cut were not read, but what they are in may have been: it is the caller's to look at
 * js.why before an object is taken for whole. */
bool as_json_in_keep(struct as_json_in *in);
/* The finding, where that was so; WHAT was kept. */
enum as_code as_json_in_tell(struct as_json_in *in, const char *what) AS_NODISCARD;

/* For probes: HEAD without a byte order mark and blanks, if it begins with C, '{' or '['; else
 * nothing. */
struct as_slice as_json_head(struct as_slice head, char c);

/* For probes: HEAD, a whole object's beginning, has the member KEY at its top: {"KEY": .... */
bool as_json_has_key(struct as_slice head, const char *key);

#endif
