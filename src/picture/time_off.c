/* SPDX-License-Identifier: Apache-2.0 */
/* A band of why a thread did not run. */
#include "picture/time_axis.h"
#include "picture/xml.h"

enum { LOWEST = 500 }; /* thousandths of a pixel: what there is can be seen */

static const char *const off_class[AS_OFF_STATES] = {"w0", "w1", "w2", "w3"};

struct band {
	struct as_out *out;
	struct as_arena *ar;
	const struct as_timeline *t;
	struct as_time_span of;
	struct as_time_axis_at at;
};

/* Thousandths of pixels; the last stretch may end behind the picture. */
static uint64_t band_x(const struct band *b, uint32_t bucket)
{
	as_val ns = (as_val)b->t->start - b->of.start + (as_val)b->t->width * bucket;

	ns = ns < (as_val)b->of.span ? ns : (as_val)b->of.span;
	return (uint64_t)b->at.x * 1000 + (uint64_t)(ns * b->at.width * 1000 / (as_val)b->of.span);
}

/* From Y thousandths on, for HIGH of them. */
static void band_box(
	const struct band *b, enum as_off off, uint32_t i, as_val v, uint64_t y, uint64_t high)
{
	as_val from = (as_val)b->t->width * i;
	uint64_t x = band_x(b, i);
	char text[AS_VAL_TEXT];

	as_out_printf(b->out, "<rect class=\"%s\" data-from=\"%s\"", off_class[off],
		as_val_text(from, text));
	as_out_printf(b->out, " data-%s=\"%s\"", as_off_text(off), as_val_text(v, text));
	as_picture_rect(b->out, x, y, band_x(b, i + 1) - x, high);
	as_out_printf(b->out, "><title>%s ", as_off_text(off));
	as_xml_text(b->out, as_time_text(b->ar, v));
	as_out_text(b->out, "; ");
	as_xml_text(b->out, as_time_stretch(b->ar, b->t->start + from, b->t->width));
	as_out_text(b->out, "</title></rect>\n");
}

void as_time_off(struct as_out *out, struct as_arena *ar, const struct as_timeline_off *off,
	size_t row, struct as_time_span of, struct as_time_axis_at at)
{
	struct band b = {.out = out, .ar = ar, .t = off->of, .of = of, .at = at};

	for (uint32_t i = 0; i < b.t->n_buckets; i++) {
		uint64_t y = (uint64_t)at.y * 1000;
		as_val all = 0;

		for (enum as_off k = 0; k < AS_OFF_STATES; k++)
			all += as_timeline_off(off, row, k, i);
		all = all > (as_val)b.t->width ? all : (as_val)b.t->width;
		for (enum as_off k = 0; k < AS_OFF_STATES; k++) {
			as_val v = as_timeline_off(off, row, k, i);
			uint64_t high = (uint64_t)(v * (as_val)at.height * 1000 / all);

			if (!v)
				continue;
			band_box(&b, k, i, v, y, high < LOWEST ? LOWEST : high);
			y += high;
		}
	}
}
