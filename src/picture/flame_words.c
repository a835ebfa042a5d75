/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of a flame graph: on its boxes, and above them. */
#include "formats/format.h"
#include "picture/flame_impl.h"
#include "picture/xml.h"
#include "report/kit/show.h"
#include "report/top.h"

static const struct as_style style = {.group = true, .utf8 = true};

struct as_slice as_flame_facts(const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_flame_box *b = &f->box.p[box];
	struct as_slice cost = as_picture_cost(ar, f->opts, f->prof, f->event, b->cost);
	struct as_slice percent = as_show_percent(ar, b->cost, f->total);

	as_assert(box < f->box.n);
	return as_arena_printf(ar, "%s%.*s, %.*s %%", b->estimated ? "~" : "", AS_SLICE_FMT(cost),
		AS_SLICE_FMT(percent));
}

struct as_slice as_flame_add_self(const struct as_flame *f, struct as_arena *ar,
	struct as_slice facts, as_val self, bool estimated)
{
	struct as_slice text = as_show_in(ar, self, &f->opts->unit, &style);

	return as_arena_printf(ar, "%.*s; self %s%.*s", AS_SLICE_FMT(facts), estimated ? "~" : "",
		AS_SLICE_FMT(text));
}

uint32_t as_flame_group_of(const struct as_flame *f, size_t box, enum as_flame_by by)
{
	const struct as_key *key = f->words->key(f, box);

	return by == AS_FLAME_BY_FILE ? key->file.i : key->object.i;
}

struct as_slice as_flame_group_name(const struct as_flame *f, uint32_t group, enum as_flame_by by)
{
	if (by == AS_FLAME_BY_FILE)
		return as_file_path(f->prof, (as_file){group});
	return as_object_path(f->prof, (as_object){group});
}

struct as_flame_event as_flame_event(const struct as_flame *f)
{
	if (f->words->event)
		return f->words->event(f);
	return (struct as_flame_event){.name = as_event_name(f->prof, f->event),
		.unit = as_str_get(f->prof, f->prof->event.p[f->event].unit)};
}

struct as_flame_func as_flame_func_of(const struct as_flame *f, size_t box, struct as_slice name)
{
	const struct as_key *key = f->words->key(f, box);

	return (struct as_flame_func){.name = as_shown_name(f->prof, name),
		.file = as_file_path(f->prof, key->file),
		.object = as_object_path(f->prof, key->object),
		.addr = key->addr,
		.has_addr = !name.len && (key->addr || key->object.i)};
}

struct as_slice as_flame_name(const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_flame_box *b = &f->box.p[box];

	as_assert(box < f->box.n);
	switch (b->kind) {
	case AS_FLAME_ROOT:
		return as_slice_of("all");
	case AS_FLAME_REST:
		return as_arena_printf(
			ar, "+%" PRIu64 " %s", b->row, as_flame_is_deep(f, b) ? "deeper" : "small");
	case AS_FLAME_ENTRY:
		return as_slice_of("[no caller]");
	default:
		return f->words->name(f, ar, box);
	}
}

struct as_slice as_flame_place(const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_key *key;
	struct as_slice file, object;

	as_assert(box < f->box.n);
	if (f->box.p[box].kind != AS_FLAME_FUNC)
		return as_slice_of("");
	if (f->words->where)
		return f->words->where(f, ar, box);
	key = f->words->key(f, box);
	file = as_show_clean(ar, as_base_name(as_file_path(f->prof, key->file)));
	object = as_show_clean(ar, as_base_name(as_object_path(f->prof, key->object)));
	return as_arena_printf(ar, "%.*s%s%.*s", AS_SLICE_FMT(file),
		file.len && object.len ? ", " : "", AS_SLICE_FMT(object));
}

struct as_slice as_flame_title(const struct as_flame *f, struct as_arena *ar)
{
	struct as_slice title = as_picture_title(ar, f->opts, f->prof, f->event, f->width);

	if (f->width == f->total)
		return title;
	return as_arena_printf(ar, "%.*s, %.*s %% of all", AS_SLICE_FMT(title),
		AS_SLICE_FMT(as_show_percent(ar, f->width, f->total)));
}

struct as_slice as_flame_notes(
	const struct as_flame *f, const struct as_flame_style *how, struct as_arena *ar)
{
	struct as_slice notes = f->words->way(f, ar, how->icicle);

	if (f->partial)
		notes = as_arena_printf(
			ar, "not whole: of what could be read; %.*s", AS_SLICE_FMT(notes));
	if (f->n_small)
		notes = as_arena_printf(ar, "%.*s; +n: %" PRIu64 " too small to draw alone",
			AS_SLICE_FMT(notes), f->n_small);
	if (f->n_deep)
		notes = as_arena_printf(ar,
			"%.*s; +n deeper: only the first %" PRIu32 " levels are drawn",
			AS_SLICE_FMT(notes), f->levels - (f->strip.n != 0));
	if (f->estimated)
		notes = as_arena_printf(ar,
			"%.*s; dashed, ~: estimated, paths were made out of calls",
			AS_SLICE_FMT(notes));
	return notes;
}
