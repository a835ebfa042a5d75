/* SPDX-License-Identifier: Apache-2.0 */
#include "picture/time_axis.h"

#include "picture/xml.h"
#include "report/kit/unit.h"

enum { APART = 90 }; /* pixels that a time needs */

/* In the largest unit that SIZE is one of. */
static struct as_slice axis_text(struct as_arena *ar, as_val ns, as_val size)
{
	static const struct as_unit units[] = {
		{1, 1000000000, "s"}, {1, 1000000, "ms"}, {1, 1000, "us"}, {1, 1, "ns"}};
	static const struct as_style style = {.group = true, .utf8 = true};
	size_t i = 0;

	while (i + 1 < AS_ARRAY_LEN(units) && size < (as_val)units[i].scale)
		i++;
	return as_show_in(ar, ns, &units[i], &style);
}

struct as_slice as_time_text(struct as_arena *ar, as_val ns)
{
	return axis_text(ar, ns, ns < 0 ? -ns : ns);
}

/* A time after the beginning, as exact as one of STEP nanoseconds or more must be told: there are
 * two decimals. */
static struct as_slice axis_time(struct as_arena *ar, as_val ns, uint64_t step)
{
	return axis_text(ar, ns, (as_val)step * 100);
}

struct as_slice as_time_stretch(struct as_arena *ar, as_val at, uint64_t width)
{
	return as_arena_printf(ar, "%.*s from %.*s on",
		AS_SLICE_FMT(as_time_text(ar, (as_val)width)),
		AS_SLICE_FMT(axis_time(ar, at, width)));
}

/* 1, 2 or 5 times a power of ten, so that no more than N are in SPAN. */
static uint64_t axis_step(uint64_t span, unsigned n)
{
	static const uint64_t of[] = {1, 2, 5};
	uint64_t ten = 1;

	for (;; ten *= 10)
		for (size_t i = 0; i < AS_ARRAY_LEN(of); i++)
			if (span / n < of[i] * ten || ten > UINT64_MAX / 100)
				return of[i] * ten;
}

void as_time_axis(
	struct as_out *out, struct as_arena *ar, struct as_time_span of, struct as_time_axis_at at)
{
	uint64_t step = axis_step(of.span, at.width / APART + 1);
	as_val end = (as_val)of.start + (as_val)of.span, t = of.start - of.start % (as_val)step;

	as_out_text(out, "<g class=\"axis\">\n");
	for (t += t < of.start ? (as_val)step : 0; t <= end; t += (as_val)step) {
		uint64_t x = (uint64_t)((t - of.start) * at.width * 1000 / (as_val)of.span);

		as_out_text(out, "<path class=\"hatch\" d=\"M");
		as_xml_fixed(out, (uint64_t)at.x * 1000 + x);
		as_out_printf(out, ",%uv%" PRIu64 "\" stroke-width=\".3\"/>", at.y, at.height);
		if (x + (uint64_t)APART * 1000 < (uint64_t)at.width * 1000 + 20000) {
			as_out_text(out, "<text class=\"quiet\" x=\"");
			as_xml_fixed(out, (uint64_t)at.x * 1000 + x + 3000);
			as_out_printf(out, "\" y=\"%u\">", at.y - 5);
			as_xml_text(out, axis_time(ar, t, step));
			as_out_text(out, "</text>");
		}
		as_out_char(out, '\n');
	}
}
