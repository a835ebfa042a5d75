/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing: messages in the order of their field numbers, each put together in memory. Tables are
 * in the order of their content, strings in that of their first use, so the same profile gives
 * the same bytes.
 */
#include "formats/pprof/pprof_write.h"
#include "base/pool.h"

/* ---- strings ---- */

uint64_t as_pb_str_of(struct as_pb_write *w, struct as_slice text)
{
	as_str s = {0};

	if (!as_strings_add(&w->str, text, &s))
		w->msg.no_memory = true;
	return s.i;
}

static uint64_t pb_write_str(struct as_pb_write *w, as_str s)
{
	uint32_t *id = &w->str_id[s.i];

	if (AS_UNLIKELY(!*id))
		*id = (uint32_t)as_pb_str_of(w, as_str_get(w->prof, s));
	return *id;
}

/* ---- messages ---- */

enum as_code as_pb_emit(struct as_pb_write *w, uint32_t number)
{
	struct as_out *out = w->wr->out;
	char *p, *end;

	if (w->msg.no_memory || w->sub.no_memory)
		return as_err_no_memory(w->wr->err);
	if (w->into) {
		as_pb_put_bytes(w->into, number, as_pb_bytes(&w->msg));
		w->msg.data.n = 0;
		return AS_OK;
	}
	p = as_out_room(out, 2 * AS_PB_VARINT_MAX);
	end = as_pb_put_varint(p, (uint64_t)number << 3 | AS_PB_BYTES);
	end = as_pb_put_varint(end, w->msg.data.n);
	out->n += (size_t)(end - p);
	as_out_bytes(out, w->msg.data.p, w->msg.data.n);
	w->msg.data.n = 0;
	return AS_OK;
}

static void pb_write_put_type(struct as_pb_buf *b, uint64_t type, uint64_t unit)
{
	as_pb_put_number(b, PB_VALUE_TYPE, type);
	as_pb_put_number(b, PB_VALUE_UNIT, unit);
}

/* Nobody's events but pprof's are without a unit because the source says so. */
static uint64_t pb_write_unit(struct as_pb_write *w, const struct as_event *ev)
{
	bool ours = as_profile_is_from(w->prof, "pprof");

	return ours || ev->unit.i ? pb_write_str(w, ev->unit)
				  : as_pb_str_of(w, as_slice_of("count"));
}

static enum as_code write_types(struct as_pb_write *w)
{
	uint64_t name;

	for (size_t i = 0; i < w->prof->event.n; i++) {
		const struct as_event *ev =
			&w->prof->event.p[as_event_in_column(w->prof, (uint32_t)i)];

		name = pb_write_str(w, ev->name);
		pb_write_put_type(&w->msg, name, pb_write_unit(w, ev));
		AS_TRY(as_pb_emit(w, PB_SAMPLE_TYPE));
	}
	if (!w->scale)
		return AS_OK;
	name = as_pb_str_of(w, as_slice_of("cpu")); /* before the unit: the order is the file's */
	pb_write_put_type(&w->msg, name, as_pb_str_of(w, as_slice_of("nanoseconds")));
	return as_pb_emit(w, PB_SAMPLE_TYPE);
}

/* ---- samples ---- */

static const struct as_plan_sample *pb_write_sample_at(const struct as_pb_write *w, size_t i)
{
	return &w->plan.sample.p[w->order[i]];
}

enum as_code as_pb_value_range(const struct as_pb_write *w, as_val v)
{
	char text[AS_VAL_TEXT];

	return as_err_set(w->wr->err, AS_E_LIMIT,
		"a stack has the cost %s; the format holds numbers of 64 bits",
		as_val_text(v, text));
}

enum as_code as_pb_add_value(struct as_pb_write *w, as_val v)
{
	if (v < INT64_MIN || v > INT64_MAX)
		return as_pb_value_range(w, v);
	return as_err_memory(w->wr->err, as_vec_push(w->al, &w->list, (uint64_t)(int64_t)v));
}

static void pb_write_put_labels(struct as_pb_write *w, uint32_t part)
{
	uint32_t n;
	const struct as_label *label = as_part_labels(w->prof, part, &n);
	uint32_t first = w->prof->part.p[part].first_label;

	for (uint32_t i = 0; label && i < n; i++) {
		const struct as_label *l = &w->prof->label.p[w->plan.labels.label[first + i]];

		if (l->opaque)
			continue;
		w->sub.data.n = 0;
		as_pb_put_number(&w->sub, PB_LABEL_KEY, pb_write_str(w, l->key));
		as_pb_put_number(&w->sub, PB_LABEL_STR, pb_write_str(w, l->text));
		as_pb_put_number(&w->sub, PB_LABEL_NUM, (uint64_t)l->number);
		as_pb_put_number(&w->sub, PB_LABEL_UNIT, pb_write_str(w, l->unit));
		as_pb_put_raw(&w->sub, as_str_get(w->prof, l->extra));
		as_pb_put_bytes(&w->msg, PB_SAMPLE_LABEL, as_pb_bytes(&w->sub));
	}
	for (uint32_t i = 0; label && i < n; i++)
		if (label[i].opaque)
			as_pb_put_raw(&w->msg, as_str_get(w->prof, label[i].extra));
}

static enum as_code pb_write_put_stack(struct as_pb_write *w, uint32_t stack)
{
	const uint32_t *up = w->plan.stack.parent.p, *loc = w->plan.stack.label.p;
	const uint32_t *id = w->plan.loc_id;

	for (w->list.n = 0; stack; stack = up[stack])
		if (!as_vec_push(w->al, &w->list, id[loc[stack]]))
			return as_err_no_memory(w->wr->err);
	as_pb_put_list(&w->msg, PB_SAMPLE_LOCATION, w->list.p, w->list.n);
	return AS_OK;
}

/* Beyond 64 bits it is too much, be it multiplied or not. */
as_val as_pb_value_of(const struct as_pb_write *w, size_t first, size_t end, size_t type)
{
	size_t e = w->prof->event.n;
	uint32_t event = type < e ? as_event_in_column(w->prof, (uint32_t)type) : 0;
	as_val sum = 0;

	for (size_t i = first; i < end; i++)
		sum += w->prof->sample.cost.p[pb_write_sample_at(w, i)->row * e + event];
	return type < e || sum > INT64_MAX || sum < INT64_MIN ? sum : sum * (as_val)w->scale;
}

/* The samples FIRST up to END of the order are one: what told them apart is not in the file. */
static enum as_code put_values(struct as_pb_write *w, size_t first, size_t end)
{
	size_t e = w->prof->event.n;

	w->list.n = 0;
	for (size_t k = 0; k < e + (w->scale != 0); k++)
		AS_TRY(as_pb_add_value(w, as_pb_value_of(w, first, end, k)));
	as_pb_put_list(&w->msg, PB_SAMPLE_VALUE, w->list.p, w->list.n);
	return AS_OK;
}

/* The part that sample I of the order is of. */
static uint32_t pb_write_own_part(const struct as_pb_write *w, size_t i)
{
	return w->record ? w->prof->sample.part.p[pb_write_sample_at(w, i)->row] : 0;
}

size_t as_pb_end_of_one(const struct as_pb_write *w, size_t first)
{
	const struct as_plan_sample *s = pb_write_sample_at(w, first);
	size_t end = first + 1;

	for (; end < w->plan.sample.n; end++) {
		const struct as_plan_sample *t = pb_write_sample_at(w, end);

		if (t->stack != s->stack || t->set != s->set ||
			pb_write_own_part(w, end) != pb_write_own_part(w, first))
			break;
	}
	return end;
}

/* Those from FIRST up to LAST of the order. */
static enum as_code write_samples(struct as_pb_write *w, size_t first, size_t last)
{
	uint32_t number = 0;

	if (!w->prof->event.n) /* nothing was counted: readers refuse samples without values */
		return AS_OK;
	for (size_t i = first, end; i < last; i = end, number++) {
		const struct as_plan_sample *s = pb_write_sample_at(w, i);

		end = as_pb_end_of_one(w, i);
		for (size_t k = i; w->record && k < end; k++)
			w->record[pb_write_sample_at(w, k)->row] = number;
		AS_TRY(pb_write_put_stack(w, s->stack));
		AS_TRY(put_values(w, i, end));
		pb_write_put_labels(w, w->prof->sample.part.p[s->row]);
		as_pb_put_number(&w->msg, PB_SAMPLE_OWN_PART, pb_write_own_part(w, i));
		AS_TRY(as_pb_emit(w, PB_SAMPLE));
	}
	return AS_OK;
}

/* ---- mappings, locations, functions ---- */

static enum as_code write_maps(struct as_pb_write *w)
{
	for (size_t i = 0; i < w->plan.maps.map.n; i++) {
		const struct as_map *m = &w->plan.maps.map.p[i];
		const struct as_object_row *o = &w->prof->object.p[m->object.i];
		struct as_pb_buf *b = &w->msg;

		as_pb_put_number(b, PB_MAP_ID, i + 1);
		as_pb_put_number(b, PB_MAP_START, m->start);
		as_pb_put_number(b, PB_MAP_LIMIT, m->limit);
		as_pb_put_number(b, PB_MAP_OFFSET, m->offset);
		as_pb_put_number(b, PB_MAP_FILE, pb_write_str(w, o->path));
		as_pb_put_number(b, PB_MAP_BUILD, pb_write_str(w, o->id));
		for (uint32_t k = 0; k <= PB_MAP_HAS_LAST - PB_MAP_HAS; k++)
			as_pb_put_number(b, PB_MAP_HAS + k, (m->has | w->has[i]) >> k & 1);
		as_pb_put_raw(b, as_str_get(w->prof, m->extra));
		AS_TRY(as_pb_emit(w, PB_MAPPING));
	}
	return AS_OK;
}

/* Fields that nobody knows: those of a line stand inside of those of its location, as the line
 * does. LINE tells which are wanted. */
static void put_extra(struct as_pb_buf *b, struct as_slice all, bool line)
{
	const uint8_t *p = (const uint8_t *)all.p;
	struct as_pb_cur cur = {p, p + all.len};
	struct as_pb_field f;
	const char *why;

	while (all.len && as_pb_next(&cur, &f, &why) == AS_OK) {
		bool of_line = f.number == PB_LOC_LINE && f.type == AS_PB_BYTES;

		if (of_line && line)
			as_pb_put_raw(b, (struct as_slice){(const char *)f.data.p,
						 (size_t)(f.data.end - f.data.p)});
		else if (!of_line && !line)
			as_pb_put_raw(b, (struct as_slice){
						 (const char *)f.start, (size_t)(cur.p - f.start)});
	}
}

void as_pb_put_line(struct as_pb_write *w, const struct as_plan_frame *f)
{
	w->sub.data.n = 0;
	as_pb_put_number(&w->sub, PB_LINE_FUNC, w->plan.func_id[f->func]);
	as_pb_put_number(&w->sub, PB_LINE_LINE, f->file.i ? 0 : f->line);
	as_pb_put_number(&w->sub, PB_LINE_COLUMN, f->column);
	if (f->file.i) {
		as_pb_put_number(
			&w->sub, PB_LINE_OWN_FILE, pb_write_str(w, w->prof->file.p[f->file.i]));
		as_pb_put_number(&w->sub, PB_LINE_OWN_LINE, f->line);
	}
	put_extra(&w->sub, as_str_get(w->prof, f->extra), true);
	as_pb_put_bytes(&w->msg, PB_LOC_LINE, as_pb_bytes(&w->sub));
}

static enum as_code write_location(struct as_pb_write *w, uint32_t loc)
{
	const struct as_plan_frame *f = as_plan_outer(&w->plan, loc);

	as_pb_put_number(&w->msg, PB_LOC_ID, w->plan.loc_id[loc]);
	as_pb_put_number(&w->msg, PB_LOC_MAP, f->map);
	as_pb_put_number(&w->msg, PB_LOC_ADDR, f->addr);
	for (uint32_t l = as_plan_has_lines(&w->plan, loc) ? loc : 0; l;
		l = w->plan.loc.parent.p[l])
		as_pb_put_line(w, &w->plan.frame.p[w->plan.loc.label.p[l]]);
	as_pb_put_number(&w->msg, PB_LOC_FOLDED, f->folded);
	as_pb_put_number(&w->msg, PB_LOC_OWN_BEHIND, f->behind);
	put_extra(&w->msg, as_str_get(w->prof, f->extra), false);
	return as_pb_emit(w, PB_LOCATION);
}

/* Those of a section, by its number + 1; all, if there are none. */
static enum as_code write_locations(struct as_pb_write *w, uint32_t section)
{
	const uint32_t *at = section ? w->loc.at : w->plan.loc_at;
	size_t first = section ? w->loc.first[section] : 1;
	size_t end = section ? w->loc.first[section + 1] : w->plan.loc.parent.n;

	for (size_t k = first; k < end; k++)
		if (w->plan.loc_id[at[k]])
			AS_TRY(write_location(w, at[k]));
	return AS_OK;
}

static enum as_code write_functions(struct as_pb_write *w, uint32_t section)
{
	const uint32_t *at = section ? w->func.at : w->plan.func_order.at;
	size_t first = section ? w->func.first[section] : 0;
	size_t end = section ? w->func.first[section + 1] : w->plan.func.n;

	for (size_t k = first; k < end; k++) {
		const struct as_func_row *f = &w->plan.func.p[at[k]];
		struct as_pb_buf *b = &w->msg;

		if (!w->plan.func_id[at[k]])
			continue;
		as_pb_put_number(b, PB_FUNC_ID, w->plan.func_id[at[k]]);
		as_pb_put_number(b, PB_FUNC_NAME, pb_write_str(w, f->name));
		as_pb_put_number(b, PB_FUNC_SYSTEM, pb_write_str(w, f->system));
		as_pb_put_number(b, PB_FUNC_FILE, pb_write_str(w, w->prof->file.p[f->file.i]));
		as_pb_put_number(b, PB_FUNC_START, f->line);
		as_pb_put_raw(b, as_str_get(w->prof, f->extra));
		AS_TRY(as_pb_emit(w, PB_FUNCTION));
	}
	return AS_OK;
}

/* Those that were not written yet, up to number END. */
static enum as_code write_strings(struct as_pb_write *w, size_t end)
{
	for (; w->n_str < end; w->n_str++) {
		as_pb_put_raw(&w->msg, w->str.row.p[w->n_str]);
		AS_TRY(as_pb_emit(w, PB_STRING_TABLE));
	}
	return AS_OK;
}

/* ---- the profile as a whole ---- */

/* What all samples add up to, a value for each type; false if one is beyond the format. */
static bool put_totals(struct as_pb_write *w)
{
	size_t e = w->prof->event.n;

	w->list.n = 0;
	for (size_t k = 0; k < e + (w->scale != 0); k++) {
		uint32_t event = k < e ? as_event_in_column(w->prof, (uint32_t)k) : 0;
		as_val sum = w->prof->total[event];

		if (sum < INT64_MIN || sum > INT64_MAX)
			return false;
		sum *= k < e ? 1 : (as_val)w->scale;
		if (sum < INT64_MIN || sum > INT64_MAX)
			return false;
		if (!as_vec_push(w->al, &w->list, (uint64_t)(int64_t)sum))
			w->msg.no_memory = true;
	}
	as_pb_put_packed(&w->front, PB_OWN_TOTAL, w->list.p, w->list.n);
	return w->list.n > 0;
}

/* Each section needs labels. */
static enum as_code number_labels(struct as_pb_write *w)
{
	bool *done;

	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &done, w->prof->part.n)));
	for (size_t i = 0; i < w->plan.sample.n; i++) {
		uint32_t part = w->prof->sample.part.p[pb_write_sample_at(w, i)->row];

		if (!done[part])
			pb_write_put_labels(w, part);
		done[part] = true;
		w->msg.data.n = 0;
	}
	return AS_OK;
}

/* All but samples, locations and functions, with the strings that it needs, and those of labels. */
static enum as_code write_front(struct as_pb_write *w)
{
	char head[2 * AS_PB_VARINT_MAX], *end;

	w->into = &w->front;
	AS_TRY(write_types(w));
	AS_TRY(write_maps(w));
	AS_TRY(as_pb_put_tail(w));
	AS_TRY(number_labels(w));
	AS_TRY(write_strings(w, w->str.row.n));
	as_pb_put_raw(&w->front, as_pb_bytes(&w->tail));
	AS_TRY(as_pb_number_strings(w));
	as_pb_put_sections(w);
	w->into = NULL;
	if (w->tail.no_memory || w->front.no_memory)
		return as_err_no_memory(w->wr->err);
	end = as_pb_put_varint(head, (uint64_t)PB_OWN_FRONT << 3 | AS_PB_VARINT);
	end = as_pb_put_varint(end, w->front.data.n);
	as_out_bytes(w->wr->out, head, (size_t)(end - head));
	as_out_slice(w->wr->out, as_pb_bytes(&w->front));
	return w->wr->out->rc;
}

static enum as_code write_sections(struct as_pb_write *w)
{
	AS_TRY(write_front(w));
	for (uint32_t i = 0; i < w->section.n + w->n_tables; i++) {
		as_out_section(w->wr->out);
		if (i < w->section.n)
			AS_TRY(write_samples(w, w->section.p[i].first, w->section.p[i].end));
		AS_TRY(write_locations(w, i + 1));
		AS_TRY(write_functions(w, i + 1));
		AS_TRY(write_strings(w, w->str_end.p[i + 1]));
	}
	as_assert(w->n_str == w->str.row.n);
	return w->wr->out->rc;
}

static enum as_code pb_write_all(struct as_pb_write *w)
{
	bool in_sections;

	w->order = w->plan.sample_order.at;
	if (w->wr->sections && !w->prof->self.n && put_totals(w)) {
		AS_TRY(as_pb_plan_sections(w, &in_sections));
		if (in_sections)
			return write_sections(w);
		w->order = w->plan.sample_order.at;
	}
	AS_TRY(write_types(w));
	AS_TRY(write_samples(w, 0, w->plan.sample.n));
	AS_TRY(as_pb_write_row_samples(w));
	AS_TRY(write_maps(w));
	AS_TRY(write_locations(w, 0));
	AS_TRY(as_pb_write_row_locations(w));
	AS_TRY(write_functions(w, 0));
	if (w->record) {
		AS_TRY(as_pb_put_moments(w));
		AS_TRY(as_pb_emit(w, PB_OWN_MOMENTS));
	}
	AS_TRY(as_pb_put_tail(w));
	AS_TRY(write_strings(w, w->str.row.n));
	if (w->tail.no_memory)
		return as_err_no_memory(w->wr->err);
	as_out_slice(w->wr->out, as_pb_bytes(&w->tail));
	return w->wr->out->rc;
}

static enum as_code plan_and_write(struct as_pb_write *w)
{
	AS_TRY(as_err_memory(
		w->wr->err, as_strings_init(&w->str, &w->arena) &&
				    as_alloc_array(w->al, &w->str_id, w->prof->strings.row.n)));
	if (w->wr->moments && w->prof->moments.n) {
		if (!as_alloc_array(w->al, &w->record, w->prof->sample.node.n))
			return as_err_no_memory(w->wr->err);
	} else {
		as_pb_plan_period(w);
	}
	if (w->prof->self.n) {
		AS_TRY(as_pb_plan_rows(w));
	} else {
		AS_TRY(as_plan_make(&w->plan));
		AS_TRY(as_pb_plan_has(w));
	}
	return pb_write_all(w);
}

enum as_code as_pb_write_file(struct as_wr *wr, const struct as_profile *prof)
{
	struct as_pool pool;
	struct as_pb_write w = {.wr = wr, .al = &pool.al, .prof = prof};
	enum as_code rc;

	as_pool_init(&pool, prof->al);
	as_arena_init(&w.arena, w.al);
	as_plan_init(&w.plan, w.al, prof, wr->err);
	w.plan.small = wr->small;
	w.msg.al = w.sub.al = w.tail.al = w.front.al = w.al;
	rc = plan_and_write(&w);
	as_plan_release(&w.plan);
	as_pool_release(&pool);
	return rc;
}
