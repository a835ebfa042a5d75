/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of a profile's objects; a file is opened, and asked, once for all functions. */
#include "session/list/list.h"

bool as_objects_init(struct as_objects *o, const struct as_session *ses, const struct as_inputs *in)
{
	*o = (struct as_objects){.ses = ses, .prof = in->prof, .report = &in->symbols};
	as_arena_init(&o->arena, ses->al);
	as_session_symbol_opts(ses, &o->arena, &o->opts);
	if (ses->opt.name.level && !o->prof->shown) /* the names themselves were shortened */
		o->names = (enum as_name_level)(ses->opt.name.level - 1);
	return as_arena_array(&o->arena, &o->object, o->prof->object.n);
}

void as_objects_release(struct as_objects *o)
{
	for (size_t i = 0; o->object && i < o->prof->object.n; i++)
		as_elf_close(o->object[i].file.elf);
	as_arena_release(&o->arena);
}

/* What was said when names were looked for. */
static bool is_told(const struct as_objects *o, as_object object)
{
	for (size_t i = 0; o->report->told && i < o->report->object.n; i++) {
		const struct as_object_report *r = &o->report->object.p[i];

		if (r->object.i == object.i)
			return r->note.len || (r->unproven && r->n_named);
	}
	return false;
}

/* Once for each object. */
static void list_code_tell(struct as_objects *o, as_object object)
{
	const struct as_object_code *c = &o->object[object.i];

	if (c->verdict.len)
		as_say_note(o->ses, "%.*s", AS_SLICE_FMT(c->verdict));
	else if (is_told(o, object))
		return;
	else if (c->file.note.len)
		as_say_note(o->ses, "%.*s: %.*s", AS_SLICE_FMT(c->file.path),
			AS_SLICE_FMT(c->file.note));
	else if (c->file.unproven)
		as_say_note(o->ses,
			"instructions are those of the file that is here now, which nothing in the "
			"profile identifies: %.*s",
			AS_SLICE_FMT(as_base_name(c->file.path)));
}

/* A page must not have what only the user may read, because a profile names it. */
static enum as_code list_code_forbid(struct as_objects *o, as_object object, struct as_err *err)
{
	struct as_object_code *c = &o->object[object.i];
	struct as_source_guard guard;
	struct as_slice path = c->file.path;
	const char *why;

	if (!o->page)
		return AS_OK;
	AS_TRY(as_err_memory(err, as_guard_init(&guard, o->ses, NULL, &o->arena)));
	why = as_binary_forbidden(&guard, path.p, as_object_is_proven(o, object));
	if (!why)
		return AS_OK;
	as_left_out(o->page, path, why);
	as_elf_close(c->file.elf);
	c->file.elf = NULL;
	return as_err_set(
		err, AS_E_ARG, "%.*s: %s; --binary FILE lets it in", AS_SLICE_FMT(path), why);
}

enum as_code as_objects_open(struct as_objects *o, as_object object, struct as_err *err)
{
	struct as_object_code *c = &o->object[object.i];

	if (c->file.elf)
		return AS_OK;
	c->file.arena = &o->arena;
	AS_TRY(as_symbol_object(o->prof, object, &o->opts, &c->file, err));
	AS_TRY(list_code_forbid(o, object, err));
	AS_TRY(as_objects_check(o, object, err));
	list_code_tell(o, object);
	return AS_OK;
}

/* The distinct addresses of L's rows, ascending; they are sorted by address. CALLER, if it is not
 * NULL: nothing but calls is known of them. */
static size_t list_code_addresses(const struct as_listing *l, uint64_t *addr, bool *caller)
{
	size_t n = 0;

	for (size_t i = 0; i < l->row.n; i++) {
		bool calls = true;

		if (!l->row.p[i].addr)
			continue;
		if (!n || addr[n - 1] != l->row.p[i].addr)
			addr[n++] = l->row.p[i].addr;
		for (uint32_t k = 0; k < l->n_events; k++)
			calls = calls && !as_list_self(l, i)[k];
		if (caller)
			caller[n - 1] = calls;
	}
	return n;
}

static enum as_code read_code(struct as_objects *o, struct as_list_item *item,
	struct as_code_list *list, struct as_err *err)
{
	const struct as_listing *l = item->insns;
	as_object object = o->prof->func.object.p[l->func.i];
	size_t size = (l->row.n + 1) * sizeof(uint64_t), n_caller = l->row.n + 1;
	struct as_code_query query = {.reach = l->stretch.addr ? AS_STRETCH_GAP : 0,
		.intel = o->intel,
		.no_inlines = o->opts.no_inlines,
		.names = o->names,
		.func = l->name};
	uint64_t *addr = as_alloc_new(o->ses->al, size);
	bool *caller = as_alloc_new(o->ses->al, n_caller);
	enum as_code rc = addr && caller ? AS_OK : AS_E_NOMEM;

	AS_THEN(rc, as_objects_open(o, object, err));
	if (rc == AS_OK) {
		query.addr = addr;
		query.caller = caller;
		query.n = list_code_addresses(l, addr, caller);
		query.file_offsets = o->object[object.i].file_offsets;
		rc = as_code_read(list, o->ses->al, o->object[object.i].file.elf, &query, err);
	}
	as_alloc_free(o->ses->al, addr, size);
	as_alloc_free(o->ses->al, caller, n_caller);
	return rc;
}

enum as_code as_objects_code(
	struct as_objects *o, struct as_list_item *item, struct as_code_list *list)
{
	char text[sizeof(((struct as_err *)0)->name) + sizeof(((struct as_err *)0)->msg) + 64];
	struct as_err err = AS_ERR_NONE;
	enum as_code rc;

	*list = (struct as_code_list){0};
	rc = read_code(o, item, list, &err);
	if (rc == AS_OK) {
		const struct as_object_code *c =
			&o->object[o->prof->func.object.p[item->insns->func.i].i];

		item->code = list;
		item->binary = c->file.path;
		item->code_note = c->verdict;
		item->other_binary = c->verdict.len;
	}
	if (rc == AS_OK || rc == AS_E_NOMEM)
		return rc;
	as_err_text(&err, text, sizeof(text));
	item->code_note = as_arena_printf(&o->arena, "no instructions: %s", text);
	return item->code_note.p ? AS_OK : AS_E_NOMEM;
}

/* Drop code of functions that the item's was inlined into. */
static enum as_code list_code_cut(
	struct as_objects *o, const struct as_listing *l, struct as_code_list *list)
{
	size_t size = (l->row.n + 1) * sizeof(uint64_t);
	uint64_t *addr = as_alloc_new(o->ses->al, size);

	AS_TRY(as_memory(addr));
	as_code_only(list, addr, list_code_addresses(l, addr, NULL));
	as_alloc_free(o->ses->al, addr, size);
	return AS_OK;
}

enum as_code as_objects_lines(
	struct as_objects *o, const struct as_list_item *item, size_t n, struct as_code_list *list)
{
	size_t size = (n + 1) * sizeof(void *);
	struct as_code_list **same = as_alloc_new(o->ses->al, size);
	enum as_code rc = same ? AS_OK : AS_E_NOMEM;
	struct as_err err = AS_ERR_NONE;

	for (uint32_t i = 0; rc == AS_OK && i < o->prof->object.n; i++) {
		size_t n_same = 0;

		for (size_t k = 0; o->object[i].file.elf && k < n; k++)
			if (item[k].code && o->prof->func.object.p[item[k].insns->func.i].i == i)
				same[n_same++] = &list[k];
		rc = as_code_lines(same, n_same, o->object[i].file.elf, &err);
	}
	for (size_t k = 0; k < n && rc == AS_OK; k++)
		if (item[k].code)
			rc = list_code_cut(o, item[k].insns, &list[k]);
	if (same)
		as_alloc_free(o->ses->al, same, size);
	return rc;
}
