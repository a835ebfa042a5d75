/* SPDX-License-Identifier: Apache-2.0 */
/* Folded stacks that say more than names: docs/formats/folded.md §7. */
#ifndef AS_FOLDED_DIALECT_H
#define AS_FOLDED_DIALECT_H

#include "formats/folded/folded.h"

#define AS_FOLDED_AUSTINS "# austin: " /* begins a line of what austin writes */

enum as_folded_dialect {
	AS_FOLDED_PLAIN,
	AS_FOLDED_PYTHON, /* "tid:7;file.py:f:12", "process 7:"cmd";thread (0x7): x;f (a.py:1)" */
	AS_FOLDED_AUSTIN, /* "P7;T0:1;file.py:func:12 1000" */
};

/* What all lines of HEAD are. */
enum as_folded_dialect as_folded_dialect(struct as_slice head);
/* What a reader is told to take frames for: -I frames=py|austin|plain. HEAD says it where it is
 * not told. */
enum as_code as_folded_frames_option(
	const struct as_rd *rd, struct as_slice head, enum as_folded_dialect *out) AS_NODISCARD;
enum as_code as_folded_read_dialect(struct as_rd *rd, enum as_folded_dialect is) AS_NODISCARD;

/* ---- folded_utf16.c ---- */

/* A byte order mark of UTF-16 begins HEAD; *BIG: the high byte comes first. */
bool as_folded_is_utf16(struct as_slice head, bool *big);
/* TEXT, with its mark, as UTF-8 at OUT, which has room for 3 bytes for each 2 of TEXT. What is no
 * character becomes U+FFFD. Returns how many bytes there are. */
size_t as_folded_from_utf16(struct as_slice text, bool big, char *out);

#endif
