/* SPDX-License-Identifier: Apache-2.0 */
/* RE2, as filters and functions that somebody types want it. Host only. */
#ifndef AS_SESSION_REGEXES_H
#define AS_SESSION_REGEXES_H

#include "session/filters.h"

extern const struct as_regexes as_regexes_re2;

#endif
