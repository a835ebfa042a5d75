/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of a profile's objects; a file is opened, and asked, once for all functions. */
#include "cli/list_cmd.h"

bool as_objects_init(
	struct as_objects *o, struct as_cli *cli, const struct as_profile *prof, bool intel)
{
	*o = (struct as_objects){.cli = cli, .prof = prof, .intel = intel};
	as_arena_init(&o->arena, cli->al);
	as_cli_symbol_opts(cli, &o->arena, &o->opts);
	if (cli->opt.names)
		o->names = (enum as_name_level)(cli->opt.names - 1);
	o->elf = as_alloc_new(cli->al, prof->object.n * sizeof(void *));
	return o->elf;
}

void as_objects_release(struct as_objects *o)
{
	for (size_t i = 0; o->elf && i < o->prof->object.n; i++)
		as_elf_close(o->elf[i]);
	if (o->elf)
		as_alloc_free(o->cli->al, o->elf, o->prof->object.n * sizeof(void *));
	as_arena_release(&o->arena);
}

static enum as_code open_object(struct as_objects *o, as_object object, struct as_err *err)
{
	if (o->elf[object.i])
		return AS_OK;
	return as_symbol_object(o->prof, object, &o->opts, &o->elf[object.i], err);
}

/* The distinct addresses of L's rows, ascending; they are sorted by address. */
static size_t addresses(const struct as_listing *l, uint64_t *addr)
{
	size_t n = 0;

	for (size_t i = 0; i < l->row.n; i++)
		if (l->row.p[i].addr && (!n || addr[n - 1] != l->row.p[i].addr))
			addr[n++] = l->row.p[i].addr;
	return n;
}

static enum as_code read_code(struct as_objects *o, struct as_list_item *item,
	struct as_code_list *list, struct as_err *err)
{
	const struct as_listing *l = item->insns;
	as_object object = o->prof->func.object.p[l->func.i];
	size_t size = (l->row.n + 1) * sizeof(uint64_t);
	struct as_code_query query = {.intel = o->intel,
		.no_inlines = o->opts.no_inlines,
		.names = o->names,
		.func = l->name};
	uint64_t *addr = as_alloc_new(o->cli->al, size);
	enum as_code rc = addr ? AS_OK : AS_E_NOMEM;

	if (rc == AS_OK)
		rc = open_object(o, object, err);
	if (rc == AS_OK) {
		query.addr = addr;
		query.n = addresses(l, addr);
		query.file_offsets = o->prof->object.p[object.i].addr_kind == AS_ADDR_FILE_OFFSET;
		rc = as_code_read(list, o->cli->al, o->elf[object.i], &query, err);
	}
	if (addr)
		as_alloc_free(o->cli->al, addr, size);
	return rc;
}

enum as_code as_objects_code(
	struct as_objects *o, struct as_list_item *item, struct as_code_list *list)
{
	char text[sizeof(((struct as_err *)0)->name) + sizeof(((struct as_err *)0)->msg) + 64];
	struct as_err err;
	enum as_code rc;

	as_err_clear(&err);
	*list = (struct as_code_list){0};
	rc = read_code(o, item, list, &err);
	if (rc == AS_OK)
		item->code = list;
	if (rc == AS_OK || rc == AS_E_NOMEM)
		return rc;
	as_err_text(&err, text, sizeof(text));
	item->code_note = as_arena_printf(&o->arena, "no instructions: %s", text);
	return item->code_note.p ? AS_OK : AS_E_NOMEM;
}

/* Drop code of functions that the item's was inlined into. */
static enum as_code cut(struct as_objects *o, const struct as_listing *l, struct as_code_list *list)
{
	size_t size = (l->row.n + 1) * sizeof(uint64_t);
	uint64_t *addr = as_alloc_new(o->cli->al, size);

	if (!addr)
		return AS_E_NOMEM;
	as_code_only(list, addr, addresses(l, addr));
	as_alloc_free(o->cli->al, addr, size);
	return AS_OK;
}

enum as_code as_objects_lines(
	struct as_objects *o, const struct as_list_item *item, size_t n, struct as_code_list *list)
{
	size_t size = (n + 1) * sizeof(void *);
	struct as_code_list **same = as_alloc_new(o->cli->al, size);
	enum as_code rc = same ? AS_OK : AS_E_NOMEM;
	struct as_err err;

	as_err_clear(&err);
	for (uint32_t i = 0; rc == AS_OK && i < o->prof->object.n; i++) {
		size_t n_same = 0;

		for (size_t k = 0; o->elf[i] && k < n; k++)
			if (item[k].code && o->prof->func.object.p[item[k].insns->func.i].i == i)
				same[n_same++] = &list[k];
		rc = as_code_lines(same, n_same, o->elf[i], &err);
	}
	for (size_t k = 0; k < n && rc == AS_OK; k++)
		if (item[k].code)
			rc = cut(o, item[k].insns, &list[k]);
	if (same)
		as_alloc_free(o->cli->al, same, size);
	return rc;
}
