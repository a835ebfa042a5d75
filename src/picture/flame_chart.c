/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks in order of time: a strip for each thread, below one box for all of the time. */
#include "formats/format.h"
#include "model/whose.h"
#include "picture/flame_impl.h"
#include "report/kit/show.h"

static const struct as_chart *chart_of(const struct as_flame *f)
{
	return f->of;
}

/* The root is of no box of the chart. */
static const struct as_chart_box *chart_box(const struct as_flame *f, size_t box)
{
	as_assert(box && box <= chart_of(f)->box.n);
	return &chart_of(f)->box.p[box - 1];
}

static const struct as_key *flame_chart_key(const struct as_flame *f, size_t box)
{
	return &chart_of(f)->keys.key.p[chart_box(f, box)->key];
}

/* ---- words ---- */

static struct as_slice chart_title(const struct as_flame *f, struct as_arena *ar)
{
	struct as_flame all = *f;

	all.width = f->prof->total[f->event];
	return as_flame_title(&all, ar);
}

static struct as_slice chart_more(struct as_arena *ar, struct as_slice text, struct as_slice more)
{
	return as_arena_printf(ar, "%.*s; %.*s", AS_SLICE_FMT(text), AS_SLICE_FMT(more));
}

static struct as_slice chart_left_out(const struct as_flame *f, struct as_arena *ar)
{
	const struct as_chart *c = chart_of(f);
	struct as_slice threads = as_arena_plural(ar, "thread{|s}", c->n_rest);
	struct as_slice share = as_show_percent(ar, c->rest, f->total);

	return as_arena_printf(ar, "%zu %.*s with %.*s %% of the cost left out", c->n_rest,
		AS_SLICE_FMT(threads), AS_SLICE_FMT(share));
}

/* How long a sample is drawn, which no source says. */
static struct as_slice chart_points(const struct as_flame *f, struct as_arena *ar)
{
	const struct as_chart *c = chart_of(f);

	if (c->opts.each)
		return as_slice_of("a sample lasts until the next one of its thread, but where "
				   "that comes after twice the time it stands for, that time");
	return as_arena_printf(ar,
		"a sample lasts until the next one of its thread, but where that comes after twice "
		"the usual %.*s, so long",
		AS_SLICE_FMT(as_time_text(ar, (as_val)c->usual)));
}

static struct as_slice chart_way(const struct as_flame *f, struct as_arena *ar, bool icicle)
{
	const struct as_chart *c = chart_of(f);
	struct as_slice text = as_slice_of("threads in order of time, callers above");
	uint32_t event;

	(void)icicle;
	if (c->n_point)
		text = chart_more(ar, text, chart_points(f, ar));
	if (as_profile_event(f->prof, as_slice_of(AS_OFF_CPU), &event))
		text = chart_more(ar, text, as_slice_of(AS_TIME_OFF_NOTE));
	if (c->least > 1)
		text = chart_more(ar, text,
			as_arena_printf(ar, "nothing shorter than %.*s, nor such gaps",
				AS_SLICE_FMT(as_time_text(ar, (as_val)c->least))));
	if (c->n_cut)
		text = chart_more(ar, text,
			as_arena_printf(ar, "%" PRIu64 " cut where the next one begins", c->n_cut));
	if (c->n_rest)
		text = chart_more(ar, text, chart_left_out(f, ar));
	return text;
}

static struct as_slice chart_thread(const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_whose w = as_part_whose(f->prof, f->box.p[box].row);
	struct as_slice name = as_show_clean(ar, w.thread);

	if (!name.len)
		name = as_show_clean(
			ar, as_str_get(f->prof, f->prof->part.p[f->box.p[box].row].name));
	if (w.has_tid)
		name = as_arena_printf(ar, "%.*s, thread %" PRIu64, AS_SLICE_FMT(name), w.tid);
	if (w.has_pid)
		name = as_arena_printf(ar, "%.*s, process %" PRIu64, AS_SLICE_FMT(name), w.pid);
	return name;
}

static struct as_slice chart_name(const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_calltree *keys = &chart_of(f)->keys;

	if (f->box.p[box].kind == AS_FLAME_THREAD)
		return chart_thread(f, ar, box);
	return as_view_name(
		ar, as_view_func(f->prof, as_calltree_name(keys, chart_box(f, box)->key),
			    flame_chart_key(f, box)));
}

/* "12 samples, 3.40 %; 120.00ms from 2.50s on, 20.00ms of gaps". */
static struct as_slice chart_facts(const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_flame_box *b = &f->box.p[box];
	uint64_t span = (uint64_t)b->width, busy = box ? chart_box(f, box)->busy : span;
	struct as_slice facts = chart_more(
		ar, as_flame_facts(f, ar, box), as_time_stretch(ar, f->axis.start + b->at, span));

	if (busy == span)
		return facts;
	return as_arena_printf(ar, "%.*s, %.*s of it in gaps", AS_SLICE_FMT(facts),
		AS_SLICE_FMT(as_time_text(ar, (as_val)(span - busy))));
}

static uint32_t chart_func_no(const struct as_flame *f, size_t box)
{
	return chart_box(f, box)->key;
}

static struct as_flame_func chart_func(const struct as_flame *f, size_t box)
{
	return as_flame_func_of(
		f, box, as_calltree_name(&chart_of(f)->keys, chart_func_no(f, box)));
}

static const struct as_flame_words chart_words = {.title = chart_title,
	.way = chart_way,
	.name = chart_name,
	.facts = chart_facts,
	.func_no = chart_func_no,
	.func = chart_func,
	.key = flame_chart_key};

/* ---- boxes ---- */

static struct as_flame_box chart_flame_box(const struct as_chart *c, size_t i)
{
	const struct as_chart_box *b = &c->box.p[i];

	return (struct as_flame_box){.depth = b->depth,
		.row = b->n ? b->n : i,
		.cost = b->cost,
		.at = (as_val)b->from,
		.width = (as_val)b->span,
		.self = b->self,
		.kind = b->n ? AS_FLAME_REST : AS_FLAME_FUNC};
}

static bool chart_put_boxes(struct as_flame *f, const struct as_chart *c)
{
	struct as_flame_box root = {.cost = f->prof->total[f->event] - c->rest, .width = f->width};
	size_t strip = 0;

	if (!as_vec_reserve(f->al, &f->box, c->box.n + 1))
		return false;
	f->box.p[f->box.n++] = root;
	for (size_t i = 0; i < c->box.n; i++) {
		struct as_flame_box box = chart_flame_box(c, i);

		if (strip < c->strip.n && i == c->strip.p[strip].box) {
			box.kind = AS_FLAME_THREAD;
			box.row = c->strip.p[strip++].part;
		}
		if (box.kind == AS_FLAME_REST)
			*(as_flame_is_deep(f, &box) ? &f->n_deep : &f->n_small) += box.row;
		f->depth = box.depth > f->depth ? box.depth : f->depth;
		f->box.p[f->box.n++] = box;
	}
	return true;
}

static bool chart_put_strips(struct as_flame *f, const struct as_chart *c)
{
	for (size_t i = 0; i < c->strip.n; i++) {
		struct as_flame_strip strip = {c->strip.p[i].box + 1, c->strip.p[i].levels};

		if (!as_vec_push(f->al, &f->strip, strip))
			return false;
	}
	return true;
}

enum as_code as_flame_of_chart(struct as_flame *f, const struct as_chart *c,
	const struct as_view_opts *opts, struct as_err *err)
{
	const struct as_profile *prof = c->prof;

	*f = (struct as_flame){.al = prof->al,
		.words = &chart_words,
		.of = c,
		.prof = prof,
		.opts = opts,
		.event = c->opts.event,
		.levels = c->opts.depth && c->opts.depth < UINT32_MAX ? c->opts.depth + 1 : 0,
		.partial = prof->partial,
		.width = (as_val)c->span,
		.axis = {c->start, c->span},
		.total = as_whole(prof)[c->opts.event]};
	return as_err_memory(err, chart_put_boxes(f, c) && chart_put_strips(f, c));
}
