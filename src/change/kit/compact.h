/* SPDX-License-Identifier: Apache-2.0 */
/* Equal rows made one. */
#ifndef AS_CHANGE_KIT_COMPACT_H
#define AS_CHANGE_KIT_COMPACT_H

#include "model/profile.h"

/* The leading values that tell rows apart; the rest is summed. */
enum { AS_KEYS_SELF = 0, AS_KEYS_CALL = 3, AS_KEYS_JUMP = 5 };

/*
 * Write ROWS anew, sorted by part, function, file, line, address and the first N_KEYS values,
 * with equal ones summed. Handles are compared as numbers. False if out of memory; ROWS is
 * unchanged then.
 */
AS_NODISCARD bool as_rows_compact(struct as_rows *rows, uint32_t n_keys);
/* All rows of PROF, likewise. */
AS_NODISCARD bool as_rows_compact_all(struct as_profile *prof);

#endif
