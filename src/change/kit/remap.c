/* SPDX-License-Identifier: Apache-2.0 */
#include "change/kit/remap.h"

#include "change/kit/readdress.h"

static uint32_t max_width(uint32_t events)
{
	return events + AS_CALL_COST > AS_JUMP_WIDTH ? events + AS_CALL_COST : AS_JUMP_WIDTH;
}

enum as_code as_remap_init(struct as_remap *r, const struct as_alloc *al, struct as_build *b,
	const struct as_profile *src)
{
	*r = (struct as_remap){.al = al, .b = b, .src = src, .e = as_n_events(src)};
	if (!as_alloc_array(al, &r->str, src->strings.row.n) ||
		!as_alloc_array(al, &r->file, src->file.n) ||
		!as_alloc_array(al, &r->func, src->func.name.n) ||
		!as_alloc_array(al, &r->place, src->place.func.n) ||
		!as_alloc_array(al, &r->object, src->object.n) ||
		!as_alloc_array(al, &r->event, r->e) ||
		!as_alloc_array(al, &r->part, src->part.n) ||
		!as_alloc_array(al, &r->in, max_width(r->e)))
		return as_err_no_memory(b->err);
	r->str[0] = r->file[0] = r->func[0] = r->place[0] = 1;
	return AS_OK;
}

/* ---- handles ---- */

enum as_code as_remap_str(struct as_remap *r, as_str s, as_str *out)
{
	if (!r->str[s.i]) {
		as_assert(s.i < r->src->strings.row.n);
		AS_TRY(as_build_str(r->b, as_str_get(r->src, s), out));
		r->str[s.i] = out->i + 1;
	}
	out->i = r->str[s.i] - 1;
	return AS_OK;
}

enum as_code as_remap_list(struct as_remap *r, as_str *const *list)
{
	for (; *list; list++)
		AS_TRY(as_remap_str(r, **list, *list));
	return AS_OK;
}

enum as_code as_remap_file(struct as_remap *r, as_file f, as_file *out)
{
	if (!r->file[f.i]) {
		as_assert(f.i < r->src->file.n);
		AS_TRY(as_build_file(r->b, as_file_path(r->src, f), out));
		r->file[f.i] = out->i + 1;
	}
	out->i = r->file[f.i] - 1;
	return AS_OK;
}

enum as_code as_remap_func_row(struct as_remap *r, as_func f, struct as_func_row *row)
{
	*row = as_func_get(r->src, f);
	row->object.i = r->object[row->object.i];
	row->addr = as_readdress(r, f, row->addr);
	AS_TRY(as_remap_file(r, row->file, &row->file));
	AS_TRY(as_remap_str(r, row->name, &row->name));
	if (AS_LIKELY(!row->system.i && !row->extra.i))
		return AS_OK;
	return as_remap_each(r, &row->system, &row->extra);
}

enum as_code as_remap_func(struct as_remap *r, as_func f, as_func *out)
{
	struct as_func_row row;

	if (!r->func[f.i]) {
		as_assert(f.i < r->src->func.name.n);
		AS_TRY(as_remap_func_row(r, f, &row));
		AS_TRY(as_build_func_row(r->b, &row, out));
		r->func[f.i] = out->i + 1;
	}
	out->i = r->func[f.i] - 1;
	return AS_OK;
}

static enum as_code remap_names(struct as_remap *r, const as_func *f, uint32_t n)
{
	struct as_slice name[AS_STRINGS_MANY] = {{NULL, 0}};
	as_str made[AS_STRINGS_MANY];

	for (uint32_t i = 0; i < n; i++)
		name[i] = as_str_get(r->src, r->src->func.name.p[f[i].i]);
	AS_TRY(as_err_memory(r->b->err, as_strings_add_many(&r->b->prof->strings, name, n, made)));
	for (uint32_t i = 0; i < n; i++)
		r->str[r->src->func.name.p[f[i].i].i] = made[i].i + 1;
	return AS_OK;
}

enum as_code as_remap_funcs(struct as_remap *r, const as_func *f, uint32_t n, as_func *out)
{
	struct as_func_row row[AS_STRINGS_MANY];

	as_assert(n <= AS_STRINGS_MANY);
	AS_TRY(remap_names(r, f, n));
	for (uint32_t i = 0; i < n; i++)
		AS_TRY(as_remap_func_row(r, f[i], &row[i]));
	AS_TRY(as_build_func_rows(r->b, row, n, out));
	for (uint32_t i = 0; i < n; i++)
		r->func[f[i].i] = out[i].i + 1;
	return AS_OK;
}

enum as_code as_remap_pos(struct as_remap *r, const struct as_pos *pos, struct as_pos *out)
{
	*out = *pos;
	out->addr = as_readdress(r, pos->func, pos->addr);
	AS_TRY(as_remap_func(r, pos->func, &out->func));
	return as_remap_file(r, pos->file, &out->file);
}

enum as_code as_remap_at(
	struct as_remap *r, as_place p, struct as_pos *pos, struct as_place_more *more)
{
	struct as_pos from = as_place_pos(r->src, p);

	*more = as_place_get_more(r->src, p);
	AS_TRY(as_remap_pos(r, &from, pos));
	return as_remap_str(r, more->extra, &more->extra);
}

enum as_code as_remap_place(struct as_remap *r, as_place p, as_place *out)
{
	struct as_place_more more;
	struct as_pos pos;

	if (!r->place[p.i]) {
		as_assert(p.i < r->src->place.func.n);
		AS_TRY(as_remap_at(r, p, &pos, &more));
		AS_TRY(as_build_place_more(r->b, &pos, &more, out));
		r->place[p.i] = out->i + 1;
	}
	out->i = r->place[p.i] - 1;
	return AS_OK;
}

/* ---- tables ---- */

static enum as_code copy_event(struct as_remap *r, const struct as_event *from, uint32_t to)
{
	struct as_event ev = *from;

	as_assert(to < r->b->prof->event.n);
	AS_TRY(as_remap_each(r, &ev.unit, &ev.title, &ev.period_unit));
	ev.name = r->b->prof->event.p[to].name;
	r->b->prof->event.p[to] = ev;
	return AS_OK;
}

enum as_code as_remap_events(struct as_remap *r)
{
	const struct as_profile *src = r->src;

	for (uint32_t k = 0; k < r->e; k++)
		r->event[k] = AS_REMAP_NONE;
	for (uint32_t i = 0; i < (r->only ? r->n_only : r->e); i++) {
		uint32_t k = r->only ? r->only[i] : i;
		const struct as_event *ev = &src->event.p[k];
		size_t before = r->b->prof->event.n;

		AS_TRY(as_build_event(r->b,
			r->event_name ? r->event_name[k] : as_str_get(src, ev->name),
			as_str_get(src, ev->unit), &r->event[k]));
		if (r->b->prof->event.n > before)
			AS_TRY(copy_event(r, ev, r->event[k]));
	}
	r->same_events = true;
	for (uint32_t k = 0; k < r->e; k++)
		r->same_events &= r->event[k] == k;
	return as_err_memory(
		r->b->err, as_alloc_array(r->al, &r->out, max_width(as_n_events(r->b->prof))));
}

/* Each becomes a row of its own. */
static enum as_code copy_objects(struct as_remap *r)
{
	struct as_profile *dst = r->b->prof;

	for (uint32_t i = 1; i < r->src->object.n; i++) {
		struct as_object_row row = r->src->object.p[i];

		AS_TRY(as_remap_each(r, &row.path, &row.id));
		AS_TRY(as_err_memory(r->b->err, as_vec_push(dst->al, &dst->object, row)));
		r->object[i] = (uint32_t)dst->object.n - 1;
	}
	return AS_OK;
}

static enum as_code copy_derived(struct as_remap *r)
{
	struct as_profile *dst = r->b->prof;

	for (size_t i = 0; i < r->src->derived.n; i++) {
		struct as_derived d = r->src->derived.p[i];

		AS_TRY(as_remap_each(r, &d.name, &d.formula, &d.title));
		AS_TRY(as_err_memory(r->b->err, as_vec_push(dst->al, &dst->derived, d)));
	}
	return AS_OK;
}

enum as_code as_remap_labels(struct as_remap *r, uint32_t part, struct as_label *out)
{
	uint32_t n;
	const struct as_label *from = as_part_labels(r->src, part, &n);

	as_assert(part < r->src->part.n);
	for (uint32_t i = 0; i < n; i++) {
		out[i] = from[i];
		AS_TRY(as_remap_each(r, &out[i].key, &out[i].text, &out[i].unit, &out[i].extra));
	}
	return AS_OK;
}

/* How many labels of part FROM stay. LABEL, which may be NULL, are they: what goes is taken out. */
static uint32_t keep_labels(const struct as_remap *r, uint32_t from, struct as_label *label)
{
	const struct as_part *p = &r->src->part.p[from];
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_labels; i++) {
		if (r->keep_label && !r->keep_label[p->first_label + i])
			continue;
		if (label)
			label[n] = label[i];
		n++;
	}
	return n;
}

static enum as_code copy_labels(struct as_remap *r, uint32_t from, uint32_t to)
{
	if (!keep_labels(r, from, NULL))
		return AS_OK;
	if (!as_vec_reserve(r->al, &r->label, r->src->part.p[from].n_labels))
		return as_err_no_memory(r->b->err);
	AS_TRY(as_remap_labels(r, from, r->label.p));
	return as_build_part_labels(r->b, to, r->label.p, keep_labels(r, from, r->label.p));
}

/* Of the events that stay: which of them the part has. */
static enum as_code copy_part_events(struct as_remap *r, const struct as_part *from, uint32_t to)
{
	uint32_t n = 0, *own = as_arena_get(&r->b->prof->arena, from->n_events * sizeof(*own) + 1);

	AS_TRY(as_err_memory(r->b->err, own));
	for (uint32_t k = 0; k < from->n_events; k++)
		if (r->event[from->event[k]] != AS_REMAP_NONE)
			own[n++] = r->event[from->event[k]];
	return as_build_part_events(r->b, to, own, n);
}

static enum as_code copy_part(
	struct as_remap *r, const struct as_part *from, uint32_t to, bool sums)
{
	struct as_part p = *from;
	struct as_build *b = r->b;

	AS_TRY(as_remap_each(r, &p.name, &p.command, &p.creator, &p.thread));
	p.event = NULL;
	p.summary = p.totals = NULL;
	p.first_label = p.n_labels = 0;
	b->prof->part.p[to] = p;
	AS_TRY(copy_part_events(r, from, to));
	if (r->only)
		return AS_OK;
	if (sums && from->summary)
		p.summary = as_build_values(b, from->summary, p.n_events);
	if (sums && from->totals)
		p.totals = as_build_values(b, from->totals, p.n_events);
	if (sums && ((from->summary && !p.summary) || (from->totals && !p.totals)))
		return as_err_no_memory(r->b->err);
	b->prof->part.p[to].summary = p.summary;
	b->prof->part.p[to].totals = p.totals;
	return AS_OK;
}

enum as_code as_remap_parts(struct as_remap *r, bool sums, bool unlabelled)
{
	uint32_t whole = AS_REMAP_NONE; /* of the part that labels split others off */

	as_assert(r->out); /* events come first */
	for (size_t i = 0; i < r->src->part.n; i++) {
		bool has_labels = keep_labels(r, (uint32_t)i, NULL);

		r->part[i] = AS_REMAP_NONE;
		if (!r->src->part.p[i].n_labels)
			whole = AS_REMAP_NONE;
		if (r->keep_part && !r->keep_part[i])
			continue;
		if (!has_labels && whole != AS_REMAP_NONE) {
			r->part[i] = whole;
			continue;
		}
		if (i && unlabelled && r->src->part.p[i].n_labels &&
			r->part[i - 1] != AS_REMAP_NONE) {
			r->part[i] = r->part[i - 1];
			continue;
		}
		AS_TRY(as_build_part(r->b, &r->part[i]));
		AS_TRY(copy_part(r, &r->src->part.p[i], r->part[i], sums));
		if (!has_labels)
			whole = r->part[i];
		if (!unlabelled)
			AS_TRY(copy_labels(r, (uint32_t)i, r->part[i]));
	}
	return AS_OK;
}

/* Where what is said of PART goes: with it, or, where it is left out, with the first that is not of
 * those that labels split off it. */
static uint32_t remap_owner(const struct as_remap *r, uint32_t part)
{
	uint32_t to = r->part[part];

	for (size_t i = part + 1; to == AS_REMAP_NONE && i < r->src->part.n; i++) {
		if (!r->src->part.p[i].n_labels)
			break;
		to = r->part[i];
	}
	return to;
}

enum as_code as_remap_maps(struct as_remap *r)
{
	for (size_t i = 0; i < r->src->map.n; i++) {
		struct as_map map = r->src->map.p[i];

		as_assert(map.object.i < r->src->object.n && map.part < r->src->part.n);
		map.object.i = r->object[map.object.i];
		map.part = remap_owner(r, map.part);
		if (map.part == AS_REMAP_NONE)
			continue;
		AS_TRY(as_remap_each(r, &map.text, &map.extra));
		AS_TRY(as_build_map(r->b, &map));
	}
	return AS_OK;
}

enum as_code as_remap_metas(struct as_remap *r)
{
	for (size_t i = 0; i < r->src->meta.n; i++) {
		const struct as_meta *m = &r->src->meta.p[i];
		uint32_t part = remap_owner(r, m->part);

		if (part == AS_REMAP_NONE)
			continue;
		AS_TRY(as_build_meta_of(r->b, part, as_str_get(r->src, m->key),
			as_str_get(r->src, m->text), m->of));
	}
	return AS_OK;
}

/* Of what its costs are a part, in B's events. */
static enum as_code copy_whole(struct as_remap *r)
{
	struct as_profile *dst = r->b->prof;

	if (!r->src->whole)
		return AS_OK;
	as_remap_cost(r, r->src->whole, r->e, r->out);
	dst->whole = as_build_values(r->b, r->out, as_n_events(dst));
	return dst->whole ? AS_OK : as_err_no_memory(r->b->err);
}

enum as_code as_remap_all(struct as_remap *r)
{
	const struct as_profile *src = r->src;
	struct as_profile *dst = r->b->prof;

	AS_TRY(as_remap_events(r));
	AS_TRY(copy_objects(r));
	if (!r->only)
		AS_TRY(copy_derived(r));
	AS_TRY(as_remap_parts(r, true, false));
	AS_TRY(as_remap_maps(r));
	AS_TRY(as_remap_metas(r));
	AS_TRY(as_remap_str(r, src->format, &dst->format));
	AS_TRY(as_remap_str(r, src->version, &dst->version));
	AS_TRY(as_remap_str(r, src->epoch, &dst->epoch));
	dst->duration = src->duration;
	dst->first_column = src->first_column;
	dst->estimated = src->estimated;
	dst->path_depth = src->path_depth;
	dst->partial = src->partial;
	return copy_whole(r);
}

/* ---- facts ---- */

void as_remap_cost(const struct as_remap *r, const as_val *cost, uint32_t n, as_val *out)
{
	if (r->same_events && !r->times) {
		memcpy(out, cost, n * sizeof(*out));
		for (uint32_t k = n; k < as_n_events(r->b->prof); k++)
			out[k] = 0;
		return;
	}
	memset(out, 0, as_n_events(r->b->prof) * sizeof(*out));
	for (uint32_t i = 0; i < r->n_only; i++)
		if (r->only[i] < n)
			out[r->event[r->only[i]]] = cost[r->only[i]];
	if (r->only)
		return;
	for (uint32_t k = 0; k < n; k++)
		out[r->event[k]] += as_remap_value(r, k, cost[k]);
}

void as_remap_keep_moments(struct as_remap *r)
{
	r->b->keep_moments = r->b->has_zero = true;
	r->b->zero = 0;
}

enum as_code as_remap_moment(struct as_remap *r, const struct as_moment *m, as_node node)
{
	struct as_moment to = *m;

	to.node = node;
	to.event = r->event[m->event];
	to.part = r->part[m->part];
	if (to.event == AS_REMAP_NONE || to.part == AS_REMAP_NONE)
		return AS_OK;
	if (r->times && __builtin_mul_overflow(to.value, (int64_t)r->times[m->event], &to.value))
		return as_err_set(r->b->err, AS_E_LIMIT,
			"what was counted at a moment has more than 64 bits in the smallest unit");
	return as_build_moment(r->b, &to);
}

/* The table of the result that rows of FROM, a table of the source, belong to. */
static struct as_rows *rows_to(const struct as_remap *r, const struct as_rows *from)
{
	struct as_profile *dst = r->b->prof;

	return from == &r->src->self ? &dst->self : from == &r->src->call ? &dst->call : &dst->jump;
}

enum as_code as_remap_run_key(struct as_remap *r, struct as_run *run)
{
	as_assert(r->part[run->part] != AS_REMAP_NONE);
	run->part = r->part[run->part];
	AS_TRY(as_remap_func(r, run->func, &run->func));
	AS_TRY(as_remap_func(r, run->inl, &run->inl));
	return as_remap_file(r, run->file, &run->file);
}

enum as_code as_remap_begin_run(
	struct as_remap *r, const struct as_rows *from, const struct as_run *run)
{
	struct as_run to = *run;

	AS_TRY(as_remap_run_key(r, &to));
	return as_err_memory(
		r->b->err, as_rows_run(rows_to(r, from), to.part, to.func, to.file, to.inl));
}

static enum as_code remap_call(struct as_remap *r)
{
	as_func callee = {(uint32_t)r->in[AS_CALL_FUNC]};

	memcpy(r->out, r->in, AS_CALL_COST * sizeof(*r->out));
	r->out[AS_CALL_ADDR] = as_readdress(r, callee, (uint64_t)r->in[AS_CALL_ADDR]);
	AS_TRY(as_remap_func(r, callee, &callee));
	r->out[AS_CALL_FUNC] = callee.i;
	as_remap_cost(r, r->in + AS_CALL_COST, r->e, r->out + AS_CALL_COST);
	return AS_OK;
}

/* The function, the file and the address that the values of a jump in FROM name. */
static enum as_code remap_jump(struct as_remap *r, as_func from)
{
	as_val *v = r->out;
	as_func func = {(uint32_t)r->in[AS_JUMP_FUNC]};
	as_file file;

	memcpy(v, r->in, AS_JUMP_WIDTH * sizeof(*v));
	v[AS_JUMP_ADDR] = as_readdress(r, func.i ? func : from, (uint64_t)v[AS_JUMP_ADDR]);
	AS_TRY(as_remap_func(r, func, &func));
	v[AS_JUMP_FUNC] = func.i;
	if (!v[AS_JUMP_FILE])
		return AS_OK;
	AS_TRY(as_remap_file(r, (as_file){(uint32_t)v[AS_JUMP_FILE] - 1}, &file));
	v[AS_JUMP_FILE] = (as_val)file.i + 1;
	return AS_OK;
}

enum as_code as_remap_row(
	struct as_remap *r, const struct as_run *run, const struct as_rows_cur *cur)
{
	struct as_rows *to = rows_to(r, cur->rows);
	uint32_t n = as_n_events(r->b->prof);

	if (to == &r->b->prof->self) {
		as_remap_cost(r, r->in, cur->n, r->out);
	} else if (to == &r->b->prof->call) {
		n += AS_CALL_COST;
		AS_TRY(remap_call(r));
	} else {
		n = AS_JUMP_WIDTH;
		AS_TRY(remap_jump(r, run->func));
	}
	return as_err_memory(r->b->err,
		as_rows_add(to, cur->line, as_readdress(r, run->func, cur->addr), r->out, n));
}

bool as_remap_keeps_views(const struct as_remap *r)
{
	return r->same_events && !r->times && !r->moves;
}

enum as_code as_remap_view(struct as_remap *r, const struct as_rows_view *view)
{
	as_assert(as_remap_keeps_views(r));
	return as_err_memory(r->b->err, as_rows_add_view(&r->b->prof->self, view));
}

/* Rows of self cost that stay as they are. */
static enum as_code remap_views(struct as_remap *r, const struct as_run *run)
{
	struct as_rows_view view;
	struct as_rows_cur cur;

	as_rows_begin(&cur, &r->src->self, run, r->in);
	while (as_rows_next_view(&cur, &view))
		AS_TRY(view.n ? as_remap_view(r, &view) : as_remap_row(r, run, &cur));
	return AS_OK;
}

enum as_code as_remap_run(struct as_remap *r, const struct as_rows *from, const struct as_run *run)
{
	struct as_rows_cur cur;

	if (r->part[run->part] == AS_REMAP_NONE)
		return AS_OK;
	if (run->n)
		AS_TRY(as_remap_begin_run(r, from, run));
	if (from == &r->src->self && as_remap_keeps_views(r))
		return remap_views(r, run);
	as_rows_begin(&cur, from, run, r->in);
	while (as_rows_next(&cur))
		AS_TRY(as_remap_row(r, run, &cur));
	return AS_OK;
}

enum as_code as_remap_rows(struct as_remap *r, const struct as_rows *from)
{
	as_assert(from == &r->src->self || from == &r->src->call || from == &r->src->jump);
	for (size_t i = 0; i < from->run.n; i++)
		AS_TRY(as_remap_run(r, from, &from->run.p[i]));
	return AS_OK;
}

enum as_code as_remap_all_rows(struct as_remap *r)
{
	AS_TRY(as_remap_rows(r, &r->src->self));
	AS_TRY(as_remap_rows(r, &r->src->call));
	return as_remap_rows(r, &r->src->jump);
}
