/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of a flame graph: on its boxes, and above them. */
#include "formats/format.h"
#include "picture/flame_impl.h"
#include "report/kit/show.h"
#include "report/top.h"

static const struct as_style style = {.group = true, .utf8 = true};

struct as_slice as_flame_facts(const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_flame_box *b = &f->box.p[box];
	struct as_slice event = as_show_clean(ar, as_event_name(f->prof, f->event));
	struct as_slice cost = as_show_in(ar, b->cost, &f->opts->unit, &style);
	struct as_slice percent = as_show_percent(ar, b->cost, f->total);

	as_assert(box < f->box.n);
	if (!event.p || !cost.p || !percent.p)
		return (struct as_slice){0};
	return as_arena_printf(ar, "%s%.*s %.*s, %.*s %%", b->estimated ? "~" : "",
		AS_SLICE_FMT(cost), AS_SLICE_FMT(event), AS_SLICE_FMT(percent));
}

struct as_slice as_flame_add_self(const struct as_flame *f, struct as_arena *ar,
	struct as_slice facts, as_val self, bool estimated)
{
	struct as_slice text = as_show_in(ar, self, &f->opts->unit, &style);

	if (!facts.p || !text.p)
		return (struct as_slice){0};
	return as_arena_printf(ar, "%.*s; self %s%.*s", AS_SLICE_FMT(facts), estimated ? "~" : "",
		AS_SLICE_FMT(text));
}

struct as_slice as_flame_where(
	struct as_arena *ar, const struct as_profile *prof, const struct as_key *key)
{
	struct as_slice file = as_show_clean(ar, as_base_name(as_file_path(prof, key->file)));
	struct as_slice object = as_show_clean(ar, as_base_name(as_object_path(prof, key->object)));

	if (!file.len || !object.len)
		return file.len ? file : object;
	return as_arena_printf(ar, "%.*s, %.*s", AS_SLICE_FMT(file), AS_SLICE_FMT(object));
}

uint32_t as_flame_group_of(const struct as_key *key, enum as_flame_by by)
{
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
	return (struct as_flame_event){.name = as_event_name(f->prof, f->event),
		.unit = as_str_get(f->prof, f->prof->event.p[f->event].unit)};
}

struct as_flame_func as_flame_func_of(
	const struct as_profile *prof, const struct as_key *key, struct as_slice name)
{
	return (struct as_flame_func){.name = as_shown_name(prof, name),
		.file = as_file_path(prof, key->file),
		.object = as_object_path(prof, key->object),
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
	as_assert(box < f->box.n);
	if (f->box.p[box].kind != AS_FLAME_FUNC)
		return as_slice_of("");
	return f->words->where(f, ar, box);
}

struct as_slice as_flame_title(const struct as_flame *f, struct as_arena *ar)
{
	const struct as_view_opts *opts = f->opts;
	struct as_slice event = as_show_clean(ar, as_event_name(f->prof, f->event));
	struct as_slice cost = as_show_in(ar, f->width, &opts->unit, &style);
	struct as_slice file =
		as_show_clean(ar, as_base_name(as_slice_of(opts->n_files ? opts->files[0] : "")));
	struct as_slice share = as_show_percent(ar, f->width, f->total);

	if (!event.p || !cost.p || !file.p || !share.p)
		return (struct as_slice){0};
	if (opts->n_files > 1)
		file = as_arena_printf(
			ar, "%.*s and %zu more", AS_SLICE_FMT(file), opts->n_files - 1);
	if (f->width != f->total)
		return as_arena_printf(ar, "%.*s: %.*s %.*s, %.*s %% of all", AS_SLICE_FMT(file),
			AS_SLICE_FMT(cost), AS_SLICE_FMT(event), AS_SLICE_FMT(share));
	return as_arena_printf(
		ar, "%.*s: %.*s %.*s", AS_SLICE_FMT(file), AS_SLICE_FMT(cost), AS_SLICE_FMT(event));
}

struct as_slice as_flame_notes(
	const struct as_flame *f, const struct as_flame_style *how, struct as_arena *ar)
{
	struct as_slice notes = f->words->way(f, ar, how->icicle);

	if (notes.p && f->partial)
		notes = as_arena_printf(
			ar, "not whole: of what could be read; %.*s", AS_SLICE_FMT(notes));
	if (notes.p && f->n_small)
		notes = as_arena_printf(ar, "%.*s; +n: %" PRIu64 " too small to draw alone",
			AS_SLICE_FMT(notes), f->n_small);
	if (notes.p && f->n_deep)
		notes = as_arena_printf(ar,
			"%.*s; +n deeper: only the first %" PRIu32 " levels are drawn",
			AS_SLICE_FMT(notes), f->levels - (f->strip.n != 0));
	if (notes.p && f->estimated)
		notes = as_arena_printf(ar,
			"%.*s; dashed, ~: estimated, paths were made out of calls",
			AS_SLICE_FMT(notes));
	return notes;
}
