/* SPDX-License-Identifier: Apache-2.0 */
/* Tables to write: row 0 of each is none. */
#include "formats/otlp/otlp_write.h"

/* ---- mappings ---- */

static void tables_put_attrs(struct as_otlp_write *w)
{
	as_otlp_put_numbers(&w->put, AS_OTLP_F_ATTR_INDICES, w->list.p, w->list.n);
}

static void tables_add_attr(struct as_otlp_write *w, uint64_t row)
{
	if (!as_vec_push(w->al, &w->list, row))
		w->no_memory = true;
}

/* The linker's id is hexadecimal, Go's is not. */
static void tables_build_id(struct as_otlp_write *w, struct as_slice id)
{
	const char *key = as_slice_is_hex(id) ? AS_OTLP_ID_GNU : AS_OTLP_ID_GO;

	if (!id.len)
		return;
	if (as_slice_starts(id, AS_OTLP_HTL)) {
		key = AS_OTLP_ID_HTL;
		id = as_slice_skip(id, strlen(AS_OTLP_HTL));
	}
	tables_add_attr(w, as_otlp_attr_text(w, as_slice_of(key), id));
}

static void tables_map_attrs(struct as_otlp_write *w, size_t i, bool no_range)
{
	static const char *const has[] = {AS_OTLP_HAS "functions", AS_OTLP_HAS "filenames",
		AS_OTLP_HAS "line_numbers", AS_OTLP_HAS "inline_frames"};
	const struct as_map *m = &w->plan.maps.map.p[i];
	struct as_slice yes = as_slice_of("true");

	as_assert(i < w->plan.maps.map.n);
	w->list.n = 0;
	tables_build_id(w, as_str_get(w->prof, w->prof->object.p[m->object.i].id));
	for (unsigned k = 0; k < AS_ARRAY_LEN(has); k++)
		if (m->has >> k & 1)
			tables_add_attr(w, as_otlp_attr_json(w, as_slice_of(has[k]), yes));
	if (!no_range && as_plan_is_virtual(&w->plan, i))
		tables_add_attr(w, as_otlp_attr_json(w, as_slice_of(AS_OTLP_VIRTUAL), yes));
}

static void tables_put_maps(struct as_otlp_write *w)
{
	as_otlp_put_list(&w->put, AS_OTLP_F_MAPPINGS);
	as_otlp_put_begin(&w->put, AS_OTLP_F_MAPPINGS);
	as_otlp_put_end(&w->put);
	for (size_t i = 0; i < w->plan.maps.map.n; i++) {
		const struct as_map *m = &w->plan.maps.map.p[i];
		const struct as_object_row *o = &w->prof->object.p[m->object.i];
		bool no_range = w->plan.maps.object[m->object.i].way == AS_PLAN_MADE &&
				o->addr_kind == AS_ADDR_VIRTUAL;

		as_otlp_put_begin(&w->put, AS_OTLP_F_MAPPINGS);
		if (!no_range) {
			as_otlp_put_number(&w->put, AS_OTLP_F_START, m->start);
			as_otlp_put_number(&w->put, AS_OTLP_F_LIMIT, m->limit);
			as_otlp_put_number(&w->put, AS_OTLP_F_OFFSET, m->offset);
		}
		as_otlp_put_number(
			&w->put, AS_OTLP_F_FILE, as_otlp_str_of(w, as_str_get(w->prof, o->path)));
		tables_map_attrs(w, i, no_range);
		tables_put_attrs(w);
		as_otlp_put_end(&w->put);
	}
	as_otlp_put_list_end(&w->put);
}

/* ---- locations ---- */

static void tables_put_line(
	struct as_otlp_write *w, const struct as_plan_frame *f, uint64_t *elsewhere)
{
	as_otlp_put_begin(&w->put, AS_OTLP_F_LINES);
	as_otlp_put_number(&w->put, AS_OTLP_F_FUNCTION, w->plan.func_id[f->func]);
	*elsewhere += f->file.i != 0;
	as_otlp_put_number(&w->put, AS_OTLP_F_LINE, f->file.i ? 0 : f->line);
	as_otlp_put_number(&w->put, AS_OTLP_F_COLUMN, f->file.i ? 0 : f->column);
	as_otlp_put_end(&w->put);
}

static void tables_put_loc(struct as_otlp_write *w, uint32_t loc, uint64_t *elsewhere)
{
	const struct as_plan *plan = &w->plan;
	const struct as_plan_frame *f = as_plan_outer(plan, loc);

	as_otlp_put_begin(&w->put, AS_OTLP_F_LOCATIONS);
	as_otlp_put_number(&w->put, AS_OTLP_F_MAPPING, f->map);
	as_otlp_put_number(&w->put, AS_OTLP_F_ADDRESS, f->addr);
	if (as_plan_has_lines(plan, loc)) {
		as_otlp_put_list(&w->put, AS_OTLP_F_LINES);
		for (uint32_t l = loc; l; l = plan->loc.parent.p[l])
			tables_put_line(w, &plan->frame.p[plan->loc.label.p[l]], elsewhere);
		as_otlp_put_list_end(&w->put);
	}
	w->list.n = 0;
	if (f->folded)
		tables_add_attr(
			w, as_otlp_attr_json(w, as_slice_of(AS_OTLP_FOLDED), as_slice_of("true")));
	if (f->behind && f->behind - 1 <= INT64_MAX)
		tables_add_attr(w, as_otlp_attr_number(w, as_slice_of(AS_OTLP_BEHIND),
					   (int64_t)(f->behind - 1), as_slice_of("By")));
	tables_put_attrs(w);
	as_otlp_put_end(&w->put);
}

static void tables_put_locs(struct as_otlp_write *w)
{
	uint64_t elsewhere = 0;

	as_otlp_put_list(&w->put, AS_OTLP_F_LOCATIONS);
	as_otlp_put_begin(&w->put, AS_OTLP_F_LOCATIONS);
	as_otlp_put_end(&w->put);
	for (size_t k = 1; k < w->plan.loc.parent.n; k++)
		if (w->plan.loc_id[w->plan.loc_at[k]])
			tables_put_loc(w, w->plan.loc_at[k], &elsewhere);
	as_otlp_put_list_end(&w->put);
	as_losses_add(w->wr->losses, "lines-elsewhere", elsewhere,
		"line{ that is|s that are} in another file than {its function|their functions}");
}

/* ---- functions, stacks, links ---- */

static void tables_put_funcs(struct as_otlp_write *w)
{
	const struct as_plan *plan = &w->plan;

	as_otlp_put_list(&w->put, AS_OTLP_F_FUNCTIONS);
	as_otlp_put_begin(&w->put, AS_OTLP_F_FUNCTIONS);
	as_otlp_put_end(&w->put);
	for (size_t k = 0; k < plan->func.n; k++) {
		const struct as_func_row *f = &plan->func.p[plan->func_order.at[k]];

		if (!plan->func_id[plan->func_order.at[k]])
			continue;
		as_otlp_put_begin(&w->put, AS_OTLP_F_FUNCTIONS);
		as_otlp_put_number(
			&w->put, AS_OTLP_F_NAME, as_otlp_str_of(w, as_str_get(w->prof, f->name)));
		as_otlp_put_number(&w->put, AS_OTLP_F_SYSTEM,
			as_otlp_str_of(w, as_str_get(w->prof, f->system)));
		as_otlp_put_number(
			&w->put, AS_OTLP_F_FILE, as_otlp_str_of(w, as_file_path(w->prof, f->file)));
		as_otlp_put_number(&w->put, AS_OTLP_F_LINE, f->line);
		as_otlp_put_end(&w->put);
	}
	as_otlp_put_list_end(&w->put);
}

static enum as_code tables_put_stack(struct as_otlp_write *w, uint32_t stack)
{
	const struct as_plan_tree *t = &w->plan.stack;

	w->list.n = 0;
	for (; stack; stack = t->parent.p[stack])
		AS_TRY(as_err_memory(w->wr->err,
			as_vec_push(w->al, &w->list, w->plan.loc_id[t->label.p[stack]])));
	as_otlp_put_begin(&w->put, AS_OTLP_F_STACKS);
	as_otlp_put_numbers(&w->put, AS_OTLP_F_LOCATION_INDICES, w->list.p, w->list.n);
	as_otlp_put_end(&w->put);
	return AS_OK;
}

static enum as_code tables_put_stacks(struct as_otlp_write *w)
{
	size_t n = w->plan.stack.parent.n;
	uint32_t *at;

	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &at, (size_t)w->n_stacks + 1)));
	for (uint32_t i = 1; i < n; i++)
		at[w->stack_row[i]] = w->stack_row[i] ? i : 0;
	as_otlp_put_list(&w->put, AS_OTLP_F_STACKS);
	for (uint32_t k = 0; k <= w->n_stacks; k++)
		AS_TRY(tables_put_stack(w, k ? at[k] : 0));
	as_otlp_put_list_end(&w->put);
	return AS_OK;
}

static void tables_put_links(struct as_otlp_write *w)
{
	as_otlp_put_list(&w->put, AS_OTLP_F_LINKS);
	as_otlp_put_begin(&w->put, AS_OTLP_F_LINKS);
	as_otlp_put_end(&w->put);
	for (size_t i = 0; i < w->link.n; i++) {
		as_otlp_put_begin(&w->put, AS_OTLP_F_LINKS);
		as_otlp_put_hex(&w->put, AS_OTLP_F_TRACE, w->link.p[i].trace);
		as_otlp_put_hex(&w->put, AS_OTLP_F_SPAN, w->link.p[i].span);
		as_otlp_put_end(&w->put);
	}
	as_otlp_put_list_end(&w->put);
}

/* ---- attributes and strings ---- */

static void tables_put_all_attrs(struct as_otlp_write *w)
{
	as_otlp_put_list(&w->put, AS_OTLP_F_ATTRS);
	as_otlp_put_begin(&w->put, AS_OTLP_F_ATTRS);
	as_otlp_put_end(&w->put);
	for (size_t i = 0; i < w->attr.n; i++) {
		const struct as_otlp_out_attr *a = &w->attr.p[i];

		as_otlp_put_begin(&w->put, AS_OTLP_F_ATTRS);
		as_otlp_put_number(&w->put, AS_OTLP_F_KEY_INDEX, a->key);
		as_otlp_put_begin(&w->put, AS_OTLP_F_VALUE);
		if (a->is_number)
			as_otlp_put_number_always(&w->put, AS_OTLP_F_INT, (uint64_t)a->number);
		else
			as_otlp_put_any(w, a->text, a->is_json);
		as_otlp_put_end(&w->put);
		as_otlp_put_number(&w->put, AS_OTLP_F_UNIT, a->unit);
		as_otlp_put_end(&w->put);
	}
	as_otlp_put_list_end(&w->put);
}

static void tables_put_strings(struct as_otlp_write *w)
{
	as_otlp_put_list(&w->put, AS_OTLP_F_STRINGS);
	for (size_t i = 0; i < w->str.row.n; i++)
		as_otlp_put_text_always(&w->put, AS_OTLP_F_STRINGS, w->str.row.p[i]);
	as_otlp_put_list_end(&w->put);
}

enum as_code as_otlp_put_dictionary(struct as_otlp_write *w)
{
	as_otlp_put_begin(&w->put, AS_OTLP_F_DICTIONARY);
	tables_put_maps(w);
	tables_put_locs(w);
	tables_put_funcs(w);
	tables_put_links(w);
	AS_TRY(tables_put_stacks(w));
	tables_put_all_attrs(w);
	tables_put_strings(w);
	as_otlp_put_end(&w->put);
	return AS_OK;
}
