/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events in the header. Their names are the words of one line, so a name that is no word, or none
 * at all, would move all columns behind it.
 */
#include "formats/callgrind/callgrind_write.h"

static bool cg_event_is_odd(char c)
{
	return c == 0 || strchr(" \t\r\n", c);
}

static bool cg_event_is_word(struct as_slice name)
{
	for (size_t i = 0; i < name.len; i++)
		if (cg_event_is_odd(name.p[i]))
			return false;
	return name.len;
}

static struct as_slice name_of(const struct cgw *w, size_t k)
{
	return as_str_get(w->prof, w->prof->event.p[k].name);
}

/* TEXT is no other event's name: it becomes that of event K. */
static bool cg_event_take(
	struct cgw *w, struct as_strings *taken, size_t k, struct as_slice text, bool *ok)
{
	size_t before = taken->row.n;
	as_str word = {0};

	*ok = as_strings_add(taken, text, &word);
	if (*ok && taken->row.n == before)
		return false;
	w->event_word[k] = as_strings_get(taken, word);
	return true;
}

/* The name of event K with '_' for what is no byte of a word; "event2" if it has none. */
static struct as_slice make_word(struct cgw *w, size_t k)
{
	struct as_slice name = name_of(w, k);
	char *p = as_arena_get(&w->arena, name.len + 1);

	if (!name.len)
		return as_arena_printf(&w->arena, "event%zu", k + 1);
	for (size_t i = 0; p && i < name.len; i++) {
		p[i] = (char)(cg_event_is_odd(name.p[i]) ? '_' : name.p[i]);
		as_losses_add(w->wr->losses, "name-bytes", cg_event_is_odd(name.p[i]),
			"byte{|s} of names that the format cannot hold, which {was|were} "
			"replaced");
	}
	return (struct as_slice){p, name.len};
}

static bool make_name(struct cgw *w, struct as_strings *taken, size_t k)
{
	struct as_slice text = make_word(w, k);
	bool ok = true;

	while (text.p && !cg_event_take(w, taken, k, text, &ok))
		text = as_arena_printf(&w->arena, "%.*s_", AS_SLICE_FMT(text));
	return text.p && ok;
}

bool as_cgw_name_events(struct cgw *w)
{
	size_t n = w->prof->event.n;
	struct as_strings taken = {0};
	bool ok = as_strings_init(&taken, &w->arena);

	w->event_word = as_arena_get(&w->arena, (n + 1) * sizeof(*w->event_word));
	ok = ok && w->event_word;
	for (size_t k = 0; ok && k < n; k++)
		if (cg_event_is_word(name_of(w, k)))
			cg_event_take(w, &taken, k, name_of(w, k), &ok);
	for (size_t k = 0; ok && k < n; k++)
		if (!cg_event_is_word(name_of(w, k)))
			ok = make_name(w, &taken, k);
	return ok;
}

static void put_event_line(
	struct cgw *w, struct as_slice name, struct as_slice formula, struct as_slice title)
{
	as_out_text(w->out, "event: ");
	as_out_slice(w->out, name);
	if (formula.len) {
		as_out_text(w->out, " = ");
		as_out_slice(w->out, formula);
	}
	if (title.len) {
		as_out_text(w->out, " : ");
		as_out_slice(w->out, title);
	}
	as_out_char(w->out, '\n');
}

/* A long name stands behind its event's name, which ends at the first of these. */
static void put_title(struct cgw *w, uint32_t event)
{
	struct as_slice name = w->event_word[event], none = {NULL, 0};
	struct as_slice title = as_str_get(w->prof, w->prof->event.p[event].title);

	if (as_slice_find(name, '=') < name.len || as_slice_find(name, ':') < name.len)
		as_losses_add_cap(w->wr->losses, AS_CAPBIT_TITLES, title.len > 0);
	else if (title.len)
		put_event_line(w, name, none, title);
}

void as_cgw_put_events(struct cgw *w)
{
	const struct as_profile *prof = w->prof;

	for (size_t k = 0; k < w->column.n; k++)
		put_title(w, w->column.p[k]);
	for (size_t i = 0; i < prof->derived.n; i++)
		put_event_line(w, as_str_get(prof, prof->derived.p[i].name),
			as_str_get(prof, prof->derived.p[i].formula),
			as_str_get(prof, prof->derived.p[i].title));
	as_out_text(w->out, "events:");
	for (size_t k = 0; k < w->column.n; k++) {
		as_out_char(w->out, ' ');
		as_out_slice(w->out, w->event_word[w->column.p[k]]);
	}
	as_out_char(w->out, '\n');
}
