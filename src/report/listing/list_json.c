/* SPDX-License-Identifier: Apache-2.0 */
/* `assay list` and `assay asm` for programs: assay.list/1 and assay.asm/1, docs/json.md. */
#include "report/kit/head_json.h"
#include "report/listing/list_print_impl.h"

static void values(
	const struct as_list_print *p, struct as_json *j, const char *key, const as_val *v)
{
	as_json_array(j, key);
	for (uint32_t k = 0; k < p->opts->n_events; k++)
		as_json_val(j, NULL, v[p->opts->event[k]]);
	as_json_array_end(j);
}

static void values_if(const struct as_list_print *p, struct as_json *j, const char *key,
	const as_val *v, bool known)
{
	if (known)
		values(p, j, key, v);
	else
		as_json_null(j, key);
}

static void number_if(struct as_json *j, const char *key, uint64_t v)
{
	if (v)
		as_json_u64(j, key, v);
	else
		as_json_null(j, key);
}

static void address_if(struct as_json *j, const char *key, uint64_t v, bool known)
{
	if (known)
		as_json_addr(j, key, v);
	else
		as_json_null(j, key);
}

/* The fields by which a function is told from others. */
static void function(const struct as_list_print *p, struct as_json *j, as_func f)
{
	const struct as_profile *prof = p->prof;

	as_json_text_or_null(j, "function", as_listing_func_name(p->listings, f));
	as_json_text_or_null(j, "file", as_file_path(prof, prof->func.file.p[f.i]));
	as_json_text_or_null(j, "object", as_object_path(prof, prof->func.object.p[f.i]));
}

static void sources(
	const struct as_list_print *p, struct as_json *j, const struct as_list_item *item)
{
	as_json_array(j, "sources");
	for (size_t b = 0; item->lines && b < item->lines->block.n; b++) {
		as_file file = item->lines->block.p[b].file;
		struct as_slice note = {0}, where = {0};

		if (p->source)
			where = p->source->where(p->source->ctx, file, &note);
		as_json_object(j, NULL);
		as_json_text_or_null(j, "file", as_file_path(p->prof, file));
		as_json_text_or_null(j, "found", where);
		as_json_text_or_null(j, "note", note);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void code_state(struct as_json *j, const struct as_list_item *item)
{
	as_json_text_or_null(j, "note", item->code_note);
	as_json_bool(j, "other_binary", item->other_binary);
}

static void functions(const struct as_list_print *p, struct as_json *j,
	const struct as_list_item *item, size_t n, bool code)
{
	as_json_array(j, "functions");
	for (size_t i = 0; i < n; i++) {
		const struct as_listing *l = code ? item[i].insns : item[i].lines;

		as_json_object(j, NULL);
		function(p, j, l->func);
		address_if(j, "address", as_listing_addr(l), as_listing_addr(l));
		address_if(j, "from", l->stretch.start, l->stretch.addr);
		address_if(j, "to", l->stretch.last, l->stretch.addr);
		values(p, j, "self", l->self);
		values(p, j, "with_inlined", l->code);
		values_if(p, j, "inclusive", l->incl, l->has_incl);
		if (l->most)
			values(p, j, "inclusive_at_most", l->most);
		if (l->has_calls)
			as_json_val(j, "calls", l->calls);
		else
			as_json_null(j, "calls");
		if (item[i].insns)
			code_state(j, &item[i]);
		if (!code)
			sources(p, j, &item[i]);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void calls(const struct as_list_print *p, struct as_json *j, const struct as_listing *l,
	const struct as_list_row *row)
{
	as_json_array(j, "calls");
	for (uint32_t k = row ? row->call : 0; row && k < row->call + row->n_calls; k++) {
		const struct as_list_call *call = &l->call.p[k];
		struct as_slice name = as_listing_func_name(p->listings, call->callee);
		uint64_t addr = p->prof->func.addr.p[call->callee.i];

		as_json_object(j, NULL);
		function(p, j, call->callee);
		address_if(j, "address", addr, addr && !name.len);
		if (call->has_count)
			as_json_val(j, "count", call->count);
		else
			as_json_null(j, "count");
		values(p, j, "inclusive", as_list_call_cost(l, k));
		as_json_bool(j, "recursive", call->inner);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void line_row(const struct as_list_print *p, struct as_json *j, const struct as_listing *l,
	uint32_t r, size_t i)
{
	const struct as_list_row *row = &l->row.p[r];
	struct as_slice text = {0};
	bool has_text = row->line && p->source &&
			p->source->line(p->source->ctx, row->file, row->line, &text);

	as_json_object(j, NULL);
	as_json_u64(j, "of", i);
	as_json_u64(j, "depth", row->depth);
	as_json_text_or_null(j, "function", as_listing_func_name(p->listings, row->func));
	as_json_text_or_null(j, "file", as_file_path(p->prof, row->file));
	number_if(j, "line", row->line);
	values(p, j, "self", as_list_self(l, r));
	values_if(p, j, "inclusive", as_list_incl(l, r), l->row_has_incl);
	if (has_text)
		as_json_text(j, "text", text);
	else
		as_json_null(j, "text");
	calls(p, j, l, row);
	as_json_object_end(j);
}

static void begin(const struct as_list_print *p, struct as_json *j, const char *schema)
{
	as_json_init(j, p->out);
	as_json_object(j, NULL);
	as_json_text(j, "schema", as_slice_of(schema));
	as_json_profile_of(j, p->prof, p->opts->places ? "places" : as_shape_text(p->prof),
		p->opts->files, p->opts->n_files);
	as_json_events(j, p->prof, p->opts->event, p->opts->n_events);
}

static void end(struct as_json *j, uint64_t n_rest)
{
	as_json_object(j, "rest");
	as_json_u64(j, "functions", n_rest);
	as_json_object_end(j);
	as_json_object_end(j);
	as_json_finish(j);
}

static void jumps(const struct as_list_print *p, struct as_json *j, const struct as_listing *l,
	const struct as_list_row *row)
{
	as_json_array(j, "jumps");
	for (uint32_t k = row ? row->jump : 0; row && k < row->jump + row->n_jumps; k++) {
		const struct as_list_jump *jump = &l->jump.p[k];

		as_json_object(j, NULL);
		as_json_bool(j, "conditional", jump->conditional);
		as_json_val(j, "executed", jump->executed);
		as_json_val(j, "followed", jump->followed);
		address_if(j, "address", jump->addr, jump->addr);
		as_json_text_or_null(
			j, "function", as_shown_name(p->prof, as_func_name(p->prof, jump->func)));
		as_json_text_or_null(j, "file", as_file_path(p->prof, jump->file));
		number_if(j, "line", jump->line);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void insn_row(const struct as_list_print *p, struct as_json *j, const struct as_asm_view *v,
	size_t at, size_t i)
{
	const struct as_asm_entry *e = &v->entry[at];
	const struct as_code_insn *insn = e->insn;
	const struct as_list_row *row = e->row ? &v->l->row.p[e->row - 1] : NULL;
	struct as_asm_place place = as_asm_place_of(v, at);

	as_json_object(j, NULL);
	as_json_u64(j, "of", i);
	address_if(j, "address", e->addr, e->addr);
	number_if(j, "size", insn ? insn->size : 0);
	as_json_text_or_null(j, "text", insn ? insn->text : as_slice_of(""));
	as_json_text_or_null(j, "function", as_shown_beside(p->prof->shown, v->ar, place.func));
	as_json_text_or_null(j, "file", place.path);
	number_if(j, "line", place.line);
	values_if(p, j, "self", row ? as_list_self(v->l, e->row - 1) : NULL, row);
	values_if(p, j, "inclusive", row ? as_list_incl(v->l, e->row - 1) : NULL,
		row && v->l->row_has_incl);
	address_if(j, "target", insn ? insn->target : 0, insn && insn->has_target);
	as_json_text_or_null(j, "target_function",
		insn ? as_shown_beside(p->prof->shown, v->ar, insn->target_name) : as_slice_of(""));
	calls(p, j, v->l, row);
	jumps(p, j, v->l, row);
	as_json_object_end(j);
}

static enum as_code instructions(
	const struct as_list_print *p, struct as_json *j, const struct as_list_item *item, size_t n)
{
	enum as_code rc = AS_OK;

	as_json_array(j, "instructions");
	for (size_t i = 0; i < n && rc == AS_OK; i++) {
		struct as_asm_view v;
		struct as_arena ar;

		as_arena_init(&ar, p->prof->al);
		if (!as_asm_view_init(&v, &item[i], &ar))
			rc = AS_E_NOMEM;
		for (size_t at = 0; at < v.n && rc == AS_OK; at++)
			insn_row(p, j, &v, at, i);
		as_arena_release(&ar);
	}
	as_json_array_end(j);
	return rc;
}

enum as_code as_list_json(
	const struct as_list_print *p, const struct as_list_item *item, size_t n, uint64_t n_rest)
{
	enum as_code rc = AS_OK;
	struct as_json j;

	begin(p, &j, "assay.list/1");
	functions(p, &j, item, n, false);
	as_json_array(&j, "lines");
	for (size_t i = 0; i < n; i++)
		for (uint32_t r = 0; r < item[i].lines->row.n; r++)
			line_row(p, &j, item[i].lines, r, i);
	as_json_array_end(&j);
	if (n && item[0].insns)
		rc = instructions(p, &j, item, n);
	end(&j, n_rest);
	return rc;
}

enum as_code as_asm_json(
	const struct as_list_print *p, const struct as_list_item *item, size_t n, uint64_t n_rest)
{
	enum as_code rc;
	struct as_json j;

	begin(p, &j, "assay.asm/1");
	functions(p, &j, item, n, true);
	rc = instructions(p, &j, item, n);
	end(&j, n_rest);
	return rc;
}
