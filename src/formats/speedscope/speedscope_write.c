/* SPDX-License-Identifier: Apache-2.0 */
/* A file of sampled profiles, one of each thread and event. docs/formats/speedscope.md. */
#include "formats/speedscope/speedscope_write.h"
#include "formats/json_out.h"

/* ---- threads ---- */

/* S without what would begin the name of an event. */
static struct as_slice write_clean(struct as_ss_write *w, struct as_slice s)
{
	size_t at = as_slice_find_text(s, AS_SS_EVENT);

	w->n_changed += at < s.len;
	s.len = at;
	return s;
}

/* A name that says what speedscope's own readers make names say. */
static struct as_slice write_part_name(struct as_ss_write *w, const struct as_part *part)
{
	struct as_slice thread = write_clean(w, as_str_get(w->prof, part->thread)), s = thread;
	struct as_slice command = write_clean(w, as_str_get(w->prof, part->command));

	if (command.len && thread.len && part->has_pid && part->has_tid &&
		!as_slice_eq(command, thread))
		return as_arena_printf(&w->arena, "%.*s (pid %" PRIu64 "), %.*s (tid %" PRIu64 ")",
			AS_SLICE_FMT(command), part->pid, AS_SLICE_FMT(thread), part->tid);
	w->n_commands += command.len && thread.len && !as_slice_eq(command, thread);
	s = s.len ? s : command;
	s = s.len || part->has_pid || part->has_tid
		    ? s
		    : write_clean(w, as_str_get(w->prof, part->name));
	if (part->has_number && !w->ours)
		s = as_arena_printf(&w->arena, "%.*s part %" PRIu64, AS_SLICE_FMT(s), part->number);
	if (part->has_pid && s.p)
		s = as_arena_printf(&w->arena, "%.*s%spid: %" PRIu64, AS_SLICE_FMT(s),
			s.len ? " " : "", part->pid);
	if (part->has_tid && s.p)
		s = as_arena_printf(&w->arena, "%.*s%stid: %" PRIu64, AS_SLICE_FMT(s),
			s.len ? " " : "", part->tid);
	return s;
}

/* Whether NAME is read as what PART is. */
static bool write_is_read(
	const struct as_ss_write *w, const struct as_part *part, struct as_slice name)
{
	struct as_ss_name is;

	as_ss_name(name, &is);
	return is.has_pid == part->has_pid && is.has_tid == part->has_tid && is.pid == part->pid &&
	       is.tid == part->tid &&
	       (!part->thread.i || as_slice_eq(is.thread, as_str_get(w->prof, part->thread)));
}

static enum as_code write_threads(struct as_ss_write *w)
{
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &w->of_part, w->prof->part.n)));
	for (size_t i = 0; i < w->prof->part.n; i++) {
		const struct as_part *part = &w->prof->part.p[i];
		struct ss_write_thread one = {write_part_name(w, part), w->ours ? part->number : 0};
		uint32_t at = 0;

		AS_TRY(as_err_memory(w->wr->err, one.name.p));
		w->n_changed += !write_is_read(w, part, one.name);
		while (at < w->thread.n && !(as_slice_eq(w->thread.p[at].name, one.name) &&
						   w->thread.p[at].number == one.number))
			at++;
		if (at == w->thread.n && !as_vec_push(w->al, &w->thread, one))
			return as_err_no_memory(w->wr->err);
		w->of_part[i] = at;
	}
	return AS_OK;
}

/* ---- lists ---- */

static void write_text(struct as_ss_write *w, const char *key, struct as_slice s)
{
	as_out_text(w->wr->out, key);
	w->n_changed += !as_json_out_text(w->wr->out, s);
}

static void write_frames(struct as_ss_write *w)
{
	struct as_out *out = w->wr->out;

	as_out_text(out, "\"shared\":{\"frames\":[");
	for (size_t i = 0; i < w->frame.n; i++) {
		const struct ss_write_frame *f = &w->frame.p[w->frame_order.at[i]];

		write_text(w, i ? ",\n{\"name\":" : "\n{\"name\":", f->name);
		if (f->file.len)
			write_text(w, ",\"file\":", f->file);
		if (f->line)
			as_out_printf(out, ",\"line\":%" PRIu64, f->line);
		if (f->column)
			as_out_printf(out, ",\"col\":%" PRIu64, f->column);
		as_out_char(out, '}');
	}
	as_out_text(out, "]}");
}

static enum as_code speedscope_write_stack(struct as_ss_write *w, uint32_t node)
{
	w->stack.n = 0;
	for (; node; node = w->node.p[node].parent)
		if (!as_vec_push(w->al, &w->stack, w->frame_order.rank[w->node.p[node].frame]))
			return as_err_no_memory(w->wr->err);
	as_out_char(w->wr->out, '[');
	for (size_t i = w->stack.n; i-- > 0;) {
		as_out_u64(w->wr->out, w->stack.p[i]);
		if (i)
			as_out_char(w->wr->out, ',');
	}
	as_out_char(w->wr->out, ']');
	return AS_OK;
}

static enum as_code write_lists(struct as_ss_write *w, size_t key)
{
	struct as_out *out = w->wr->out;

	as_out_text(out, ",\"samples\":[");
	for (size_t i = w->first[key]; i < w->end[key]; i++) {
		if (i > w->first[key])
			as_out_char(out, ',');
		AS_TRY(speedscope_write_stack(w, w->row[i].node));
	}
	as_out_text(out, "],\"weights\":[");
	for (size_t i = w->first[key]; i < w->end[key]; i++) {
		if (i > w->first[key])
			as_out_char(out, ',');
		as_out_u64(out, (uint64_t)w->row[i].value);
	}
	as_out_text(out, "]}");
	return AS_OK;
}

/* ---- profiles ---- */

static const char *write_unit(const struct as_ss_write *w, uint32_t event)
{
	static const char *const unit[] = {
		"nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"};
	struct as_slice is = as_str_get(w->prof, w->prof->event.p[event].unit);

	as_assert(event < w->prof->event.n);
	for (size_t i = 0; i < AS_ARRAY_LEN(unit); i++)
		if (as_slice_is(is, unit[i]))
			return unit[i];
	return "none";
}

/* What the profile is called: times of samples are what speedscope's files have, unasked. */
static struct as_slice write_name(
	struct as_ss_write *w, uint32_t thread, uint32_t event, bool paired)
{
	struct as_slice is = as_event_name(w->prof, event), base = w->thread.p[thread].name,
			samples;

	as_assert(thread < w->thread.n);
	if (!paired)
		return as_arena_printf(&w->arena, "%.*s%s" AS_SS_EVENT "%.*s", AS_SLICE_FMT(base),
			w->timed ? "" : AS_SS_AGGREGATED, AS_SLICE_FMT(is));
	samples = as_event_name(w->prof, event + 1);
	if (as_slice_is(is, "time") && as_slice_is(samples, "samples"))
		return base;
	return as_arena_printf(&w->arena, "%.*s" AS_SS_EVENT "%.*s" AS_SS_SAMPLES "%.*s",
		AS_SLICE_FMT(base), AS_SLICE_FMT(is), AS_SLICE_FMT(samples));
}

static enum as_code speedscope_write_profile(struct as_ss_write *w, uint32_t thread, uint32_t event)
{
	size_t key = (size_t)thread * w->prof->event.n + event;
	bool paired = w->paired[key];
	struct as_slice name = write_name(w, thread, event - paired, paired);
	int64_t start = 0, nanos = (int64_t)as_ss_write_nanos(w, event - paired);
	struct as_out *out = w->wr->out;
	as_val end;

	AS_TRY(as_err_memory(w->wr->err, name.p));
	if (w->timed && nanos && w->first[key] < w->end[key])
		start = w->row[w->first[key]].time / nanos;
	end = start;
	for (size_t i = w->first[key]; i < w->end[key]; i++)
		end += w->row[i].value;
	write_text(w, "{\"type\":\"sampled\",\"name\":", name);
	as_out_printf(out, ",\"unit\":\"%s\",\"startValue\":%" PRId64 ",\"endValue\":",
		write_unit(w, event - paired), start);
	as_out_val(out, end);
	return write_lists(w, key);
}

/* Whether there is nothing to say of a thread and an event. The first thread has all events, in
 * their order. */
static bool write_is_left(const struct as_ss_write *w, uint32_t thread, uint32_t event)
{
	size_t key = (size_t)thread * w->prof->event.n + event;
	bool counted = event + 1 < w->prof->event.n && w->paired[key + 1];

	return w->first[key] == w->end[key] && (thread || counted);
}

static enum as_code write_profiles(struct as_ss_write *w)
{
	bool some = false;

	as_out_text(w->wr->out, "\"profiles\":[");
	for (uint32_t i = 0; i < w->thread.n; i++) {
		for (uint32_t k = 0; k < as_n_events(w->prof); k++) {
			if (write_is_left(w, i, k))
				continue;
			as_out_text(w->wr->out, some ? ",\n" : "\n");
			some = true;
			AS_TRY(speedscope_write_profile(w, i, k));
		}
	}
	as_out_text(w->wr->out, "]");
	return AS_OK;
}

/* ---- the file ---- */

static void write_head(struct as_ss_write *w)
{
	const struct as_profile *prof = w->prof;
	struct as_slice creator = as_slice_of("assay"), name = as_meta_get(prof, 0, "name");

	if (w->ours)
		creator =
			prof->part.n ? as_str_get(prof, prof->part.p[0].creator) : as_slice_of("");
	as_out_text(w->wr->out, "{\"$schema\":\"" AS_SS_SCHEMA "\",\n");
	if (creator.len) {
		write_text(w, "\"exporter\":", creator);
		as_out_text(w->wr->out, ",\n");
	}
	if (w->ours && name.len) {
		write_text(w, "\"name\":", name);
		as_out_text(w->wr->out, ",\n");
	}
	write_frames(w);
	as_out_text(w->wr->out, ",\n");
}

/* Labels that are not what a part's process is called, which its command says, too. */
static uint64_t write_count_labels(const struct as_ss_write *w)
{
	uint64_t n = 0;

	for (size_t i = 0; i < w->prof->label.n; i++)
		n += !as_slice_is(as_str_get(w->prof, w->prof->label.p[i].key), "process");
	return n;
}

static void write_losses(struct as_ss_write *w)
{
	const struct as_profile *prof = w->prof;
	struct as_losses *l = w->wr->losses;
	uint64_t units = 0;

	for (uint32_t k = 0; k < as_n_events(prof); k++) {
		struct as_slice unit = as_str_get(prof, prof->event.p[k].unit);

		units += unit.len && !as_slice_is(unit, "count") &&
			 !strcmp(write_unit(w, k), "none");
	}
	as_losses_add(l, "objects", prof->object.n - 1, "object{|s}");
	as_losses_add_cap(l, AS_CAPBIT_LINES, w->n_lines);
	as_losses_add_cap(l, AS_CAPBIT_COLUMNS, w->n_columns);
	as_losses_add_cap(l, AS_CAPBIT_LABELS, write_count_labels(w));
	as_losses_add(l, "commands", w->n_commands, "command line{|s}");
	as_losses_add(l, "units", units, "unit{|s} of events");
	as_losses_add(l, "names", w->n_changed,
		"name{|s} that would not be read as {it is|they are}, written otherwise");
	as_losses_add(l, "times", w->n_moved,
		"time stamp{|s} of which the order is kept: times are sums of weights");
	as_losses_add(l, "large-numbers", w->n_large,
		"cost{|s} of 2^53 or more, which speedscope rounds");
}

static enum as_code speedscope_write_all(struct as_ss_write *w)
{
	w->ours = as_profile_is_from(w->prof, "speedscope");
	w->lines = as_opts_flag(&w->wr->opts, "lines", w->ours);
	if (!as_n_events(w->prof))
		return as_err_set(w->wr->err, AS_E_UNSUPPORTED, "the profile has no events");
	w->timed = w->prof->moments.n > 0;
	AS_TRY(write_threads(w));
	AS_TRY(as_ss_write_tree(w));
	AS_TRY(as_ss_write_rows(w));
	write_head(w);
	AS_TRY(write_profiles(w));
	as_out_text(w->wr->out, "}\n");
	write_losses(w);
	return AS_OK;
}

enum as_code as_ss_write(struct as_wr *wr, const struct as_profile *prof)
{
	struct as_ss_write w = {.wr = wr, .prof = prof, .al = wr->al};

	as_arena_init(&w.arena, w.al);
	as_index_init(&w.frames, w.al);
	as_index_init(&w.nodes, w.al);
	return speedscope_write_all(&w);
}
