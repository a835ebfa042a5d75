/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of the newest layout, to protocol buffers or to JSON: who writes names fields, and which
 * of both it is makes no difference. Fields that are 0 or empty are left out. Private to
 * src/formats/otlp.
 */
#ifndef AS_FORMATS_OTLP_OTLP_PUT_H
#define AS_FORMATS_OTLP_OTLP_PUT_H

#include "base/pb_put.h"
#include "formats/otlp/otlp_schema.h"
#include "io/out.h"

enum { AS_OTLP_PUT_DEPTH = 16 };

struct as_otlp_put {
	bool json, no_memory;
	struct as_out *out;
	unsigned depth;
	uint64_t n_bad; /* texts that are not UTF-8: what is wrong in them became U+FFFD */
	struct {
		enum as_otlp_msg msg;
		uint8_t id;           /* the field that it is of the one around it */
		bool some;            /* JSON: it holds something already */
		struct as_pb_buf buf; /* protocol buffers: what is in it */
	} at[AS_OTLP_PUT_DEPTH];
	uint8_t row[AS_OTLP_MESSAGES][AS_OTLP_FIELDS]; /* of as_otlp_def + 1 */
};

/* The outermost message is begun and ended, too; it goes out field by field. AL is a pool's. */
void as_otlp_put_init(
	struct as_otlp_put *p, const struct as_alloc *al, struct as_out *out, bool json);

/* A message that is field ID of the one that is open; an element of a list stands between list
 * and end of list. An empty message is written, too. */
void as_otlp_put_begin(struct as_otlp_put *p, enum as_otlp_id id);
void as_otlp_put_end(struct as_otlp_put *p);
void as_otlp_put_list(struct as_otlp_put *p, enum as_otlp_id id);
void as_otlp_put_list_end(struct as_otlp_put *p);

void as_otlp_put_number(struct as_otlp_put *p, enum as_otlp_id id, uint64_t v);
/* Even if it is 0, or empty: of a value of which one field has to be there, or in a list. */
void as_otlp_put_number_always(struct as_otlp_put *p, enum as_otlp_id id, uint64_t v);
void as_otlp_put_text_always(struct as_otlp_put *p, enum as_otlp_id id, struct as_slice s);
void as_otlp_put_text(struct as_otlp_put *p, enum as_otlp_id id, struct as_slice s);
/* Hexadecimal digits, an even number of them. */
void as_otlp_put_hex(struct as_otlp_put *p, enum as_otlp_id id, struct as_slice s);
void as_otlp_put_real(struct as_otlp_put *p, enum as_otlp_id id, double v);
void as_otlp_put_numbers(struct as_otlp_put *p, enum as_otlp_id id, const uint64_t *v, size_t n);

#endif
