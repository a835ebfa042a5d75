/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers at the left of a listing. */
#include "report/listing/list_print_impl.h"

#include "base/utf8_len.h"
#include "report/kit/show.h"
#include "report/top.h"

enum { PERCENT = 6, SOURCE_COLUMNS = 60, NARROW = 12 };

void as_list_pad(struct as_out *out, size_t n)
{
	while (n--)
		as_out_char(out, ' ');
}

void as_list_put(const struct as_list_print *p, enum as_paint paint, struct as_slice s)
{
	as_out_printf(p->out, "%s%.*s%s", as_paint_begin(p->style, paint), AS_SLICE_FMT(s),
		as_paint_end(p->style, paint));
}

static uint32_t event_of(const struct as_list_columns *c, uint32_t i)
{
	return c->p->opts->view.event[i];
}

static struct as_slice head_of(const struct as_list_columns *c, const char *what, uint32_t i)
{
	struct as_slice name = as_show_clean(c->arena, as_event_name(c->p->prof, event_of(c, i)));

	return as_arena_printf(c->arena, "%s %.*s", what, AS_SLICE_FMT(name));
}

static void list_columns_widen(const struct as_list_columns *c, unsigned *width, as_val v)
{
	char text[AS_VAL_TEXT];
	size_t n;

	as_val_text(v, text);
	n = strlen(text);
	n += c->p->style->group ? (n - 1 - (v < 0)) / 3 : 0;
	if (n > *width)
		*width = (unsigned)n;
}

static void list_columns_measure(struct as_list_columns *c)
{
	const struct as_listing *l = c->l;
	uint32_t first = event_of(c, 0);

	for (uint32_t i = 0; i < c->n; i++) {
		c->width[i] = (unsigned)as_utf8_columns(head_of(c, "self", i));
		list_columns_widen(c, &c->width[i], l->self[event_of(c, i)]);
		for (size_t r = 0; r < l->row.n; r++)
			list_columns_widen(c, &c->width[i], as_list_self(l, r)[event_of(c, i)]);
	}
	c->width[c->n] = (unsigned)as_utf8_columns(head_of(c, "incl", 0));
	list_columns_widen(c, &c->width[c->n], l->incl[first]);
	for (size_t r = 0; r < l->row.n; r++) {
		as_val self = as_list_self(l, r)[first];

		c->most = self > c->most ? self : c->most;
		list_columns_widen(c, &c->width[c->n], as_list_incl(l, r)[first]);
	}
	for (size_t k = 0; k < l->call.n; k++)
		list_columns_widen(c, &c->width[c->n], as_list_call_cost(l, k)[first]);
}

/* How many events have room. */
static uint32_t shown_events(const struct as_list_print *p)
{
	unsigned room = p->style->width > SOURCE_COLUMNS ? p->style->width - SOURCE_COLUMNS : 0;
	uint32_t n = p->opts->view.n_events;

	return p->style->width && !p->opts->chosen && n > 1 + room / NARROW ? 1 + room / NARROW : n;
}

enum as_code as_list_put_hidden(const struct as_list_print *p)
{
	static const struct as_column none[] = {{0}};
	uint32_t shown = shown_events(p);
	struct as_sheet s;

	if (shown >= p->opts->view.n_events)
		return AS_OK;
	as_assert(shown);
	as_sheet_init(&s, &(struct as_sheet_to){AS_FORM_TEXT, p->out, p->style}, p->prof,
		&p->opts->view, none);
	s.first = 0;
	s.n_others = shown - 1;
	as_sheet_rows(&s, NULL);
	as_out_char(p->out, '\n');
	return as_sheet_finish(&s);
}

bool as_list_columns_init(struct as_list_columns *c, const struct as_list_print *p,
	const struct as_listing *l, struct as_arena *arena)
{
	*c = (struct as_list_columns){
		.p = p, .l = l, .arena = arena, .has_incl = l->row_has_incl, .n = shown_events(p)};
	as_assert(l->n_events == as_n_events(p->prof));
	c->width = as_arena_get(arena, (c->n + 1) * sizeof(*c->width));
	if (c->width && c->n)
		list_columns_measure(c);
	return c->width != NULL;
}

static void list_columns_right(struct as_out *out, struct as_slice s, unsigned width)
{
	size_t columns = as_utf8_columns(s);

	as_list_pad(out, columns < width ? width - columns : 0);
	as_out_slice(out, s);
}

void as_list_columns_head(const struct as_list_columns *c)
{
	struct as_out *out = c->p->out;

	for (uint32_t i = 0; i < c->n; i++) {
		list_columns_right(out, head_of(c, "self", i), c->width[i] + (i ? 2 : 0));
		if (i)
			continue;
		list_columns_right(out, as_slice_of("%"), PERCENT);
		if (!c->has_incl)
			continue;
		list_columns_right(out, head_of(c, "incl", 0), c->width[c->n] + 2);
		list_columns_right(out, as_slice_of("%"), PERCENT);
	}
}

unsigned as_list_columns_width(const struct as_list_columns *c)
{
	unsigned sum = 0;

	for (uint32_t i = 0; i < c->n; i++)
		sum += c->width[i] + (i ? 2 : PERCENT);
	return c->n && c->has_incl ? sum + c->width[c->n] + 2 + PERCENT : sum;
}

static void list_columns_pair(const struct as_list_columns *c, const as_val *v, unsigned width)
{
	struct as_out *out = c->p->out;
	uint32_t ev = event_of(c, 0);

	if (!v) {
		as_list_pad(out, width + PERCENT);
		return;
	}
	if (!v[ev]) {
		list_columns_right(out, as_slice_of("."), width);
		list_columns_right(out, as_slice_of("."), PERCENT);
		return;
	}
	list_columns_right(out, as_show_val(c->arena, v[ev], c->p->style), width);
	/* Costs of recursive calls add up to more than there is. */
	if (v[ev] > as_whole(c->p->prof)[ev])
		list_columns_right(out, as_slice_of("-"), PERCENT);
	else
		list_columns_right(
			out, as_show_percent(c->arena, v[ev], as_whole(c->p->prof)[ev]), PERCENT);
}

enum as_paint as_list_heat(const struct as_list_columns *c, const as_val *self)
{
	return as_paint_heat(c->n && self ? self[event_of(c, 0)] : 0, c->most);
}

void as_list_columns_put(const struct as_list_columns *c, const as_val *self, const as_val *incl)
{
	struct as_out *out = c->p->out;
	enum as_paint heat = as_list_heat(c, self);

	as_out_text(out, as_paint_begin(c->p->style, heat));
	for (uint32_t i = 0; i < c->n; i++) {
		if (!i) {
			list_columns_pair(c, self, c->width[0]);
			if (c->has_incl)
				list_columns_pair(c, incl, c->width[c->n] + 2);
		} else if (self && self[event_of(c, i)]) {
			list_columns_right(out,
				as_show_val(c->arena, self[event_of(c, i)], c->p->style),
				c->width[i] + 2);
		} else {
			list_columns_right(out, as_slice_of(self ? "." : ""), c->width[i] + 2);
		}
	}
	as_out_text(out, as_paint_end(c->p->style, heat));
}
