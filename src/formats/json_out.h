/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AS_FORMATS_JSON_OUT_H
#define AS_FORMATS_JSON_OUT_H

#include "io/out.h"

/* S in quotes. Bytes that are not UTF-8 become U+FFFD; false: there were some. */
bool as_json_out_text(struct as_out *out, struct as_slice s);

#endif
