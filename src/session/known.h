/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was said of objects, for files that have the same ones: a regular expression takes longer
 * than looking up. Any threads may ask.
 */
#ifndef AS_SESSION_KNOWN_H
#define AS_SESSION_KNOWN_H

#include "formats/format.h"

struct as_known;

/* *CHOICE, which is borrowed with what it leads to, and from then on asks by way of *OUT. NULL: no
 * memory; then it stays as it is. */
struct as_known *as_known_new(const struct as_alloc *al, struct as_rd_choice *choice);
/* That objects alone are chosen by, and none that was asked of is wanted. */
bool as_known_wants_none(const struct as_known *k);
void as_known_free(struct as_known *k);

#endif
