/* SPDX-License-Identifier: Apache-2.0 */
#include "session/list/list.h"

#include "base/sort.h"
#include "symbols/code.h"
#include "symbols/symbols.h"

struct sites {
	const struct as_top *top;
	struct as_top_site *site; /* of each row that is shown */
	struct as_arena *arena;   /* of the texts */
	struct as_objects objects;
	uint32_t *order; /* places in top->row, by object and address */
	/* Of the object that is looked at: */
	uint64_t *addr; /* distinct, ascending */
	uint64_t *link; /* link-time addresses of these */
	bool *caller;   /* of each: it is the last byte of a call */
	size_t n;
};

static const struct as_key *sites_key(const struct as_top *top, uint32_t i)
{
	return &top->table->key[top->row[i]];
}

static int sites_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_key *x = sites_key(ctx, a), *y = sites_key(ctx, b);

	return x->object.i != y->object.i
		       ? (x->object.i > y->object.i) - (x->object.i < y->object.i)
		       : as_cmp_u64(x->addr, y->addr);
}

/* Nothing but calls is known of the row, so that its address is the last byte of one. */
static bool sites_is_caller(const struct as_top *top, uint32_t i)
{
	for (uint32_t k = 0; k < top->table->n_events; k++)
		if (as_top_self(top, top->row[i], k))
			return false;
	return true;
}

/* ---- an object ---- */

/* Those that no segment of the file holds are left out, as address 0 is, and those of a file whose
 * segments are not in order. */
static void sites_addresses(
	struct sites *s, const struct as_object_code *object, const uint32_t *order, size_t n)
{
	s->n = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t addr = sites_key(s->top, order[i])->addr, vaddr = addr;

		if (!addr ||
			(object->file_offsets && !as_elf_vaddr(object->file.elf, addr, &vaddr)))
			continue;
		if (s->n && s->addr[s->n - 1] != addr && s->link[s->n - 1] >= vaddr)
			continue;
		if (!s->n || s->addr[s->n - 1] != addr) {
			s->addr[s->n] = addr;
			s->link[s->n] = vaddr;
			s->caller[s->n++] = true;
		}
		s->caller[s->n - 1] &= sites_is_caller(s->top, order[i]);
	}
}

/* The function of row I, of whose address SET has N frames from FRAME on, innermost first. */
static enum as_code sites_put_function(struct sites *s, uint32_t i, const struct as_symset *set,
	const struct as_symframe *frame, size_t n)
{
	struct as_slice own = as_table_func_name(s->top->table, s->top->row[i]), name = own;
	struct as_top_site *site = &s->site[i];

	/* One function may have several names; where nothing is inlined it is that of the row. */
	if (n > 1 || !own.len) {
		name = as_demangle(
			s->arena, as_strings_get(&set->str, frame[n - 1].name), s->objects.names);
		name = name.p ? as_arena_dup(s->arena, name) : name;
	}
	site->function = name;
	site->is_own = name.p && as_slice_eq(name, own);
	return name.p ? AS_OK : AS_E_NOMEM;
}

static enum as_code sites_put_insn(
	struct sites *s, uint32_t i, const struct as_code_list *code, bool is_caller)
{
	uint64_t addr = sites_key(s->top, i)->addr;
	size_t at = as_rows_up_to(code->insn.p, code->insn.n, addr, addr);
	const struct as_code_insn *insn;

	if (!at)
		return AS_OK;
	insn = &code->insn.p[at - 1];
	/* A sample inside of an instruction says that it is not known where those here begin. */
	if (is_caller ? addr - insn->addr >= insn->size : addr != insn->addr)
		return AS_OK;
	s->site[i].insn = as_arena_dup(s->arena, insn->text);
	return s->site[i].insn.p ? AS_OK : AS_E_NOMEM;
}

/* What is known of the Kth address goes to all rows of it. */
static enum as_code sites_put(struct sites *s, const uint32_t *order, size_t n,
	const struct as_object_code *object, const struct as_code_list *code,
	const struct as_symset *set)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t addr = sites_key(s->top, order[i])->addr;
		struct as_elf_symbol sym;
		uint32_t first;

		while (k + 1 < s->n && s->addr[k] < addr)
			k++;
		if (s->addr[k] != addr)
			continue;
		AS_TRY(sites_put_insn(s, order[i], code, s->caller[k]));
		first = set->first.p[k];
		if (set->first.p[k + 1] == first ||
			!as_elf_function_at(object->file.elf, s->link[k], &sym))
			continue;
		s->site[order[i]].offset = s->link[k] - sym.start;
		AS_TRY(sites_put_function(
			s, order[i], set, as_at(set->frame.p, first), set->first.p[k + 1] - first));
	}
	return AS_OK;
}

static enum as_code sites_ask(struct sites *s, const uint32_t *order, size_t n,
	const struct as_object_code *object, struct as_err *err)
{
	const struct as_alloc *al = s->top->prof->al;
	struct as_code_query query = {.addr = s->addr,
		.n = s->n,
		.caller = s->caller,
		.file_offsets = object->file_offsets};
	struct as_code_list code = {0};
	struct as_symset set;
	enum as_code rc = as_code_read(&code, al, object->file.elf, &query, err);

	if (rc == AS_E_UNSUPPORTED) /* without a disassembler there still are functions */
		rc = AS_OK;
	if (!as_symset_init(&set, al))
		rc = AS_E_NOMEM;
	AS_THEN(rc, as_elf_lookup(object->file.elf, s->link, s->n, !s->objects.opts.no_inlines,
			    &set, err));
	AS_THEN(rc, sites_put(s, order, n, object, &code, &set));
	as_symset_release(&set);
	as_code_list_release(&code);
	return rc;
}

static enum as_code sites_read(struct sites *s, const uint32_t *order, size_t n, as_object of)
{
	struct as_object_code *object = &s->objects.object[of.i];
	struct as_err err = AS_ERR_NONE;
	enum as_code rc = as_objects_open(&s->objects, of, &err);

	/* Instructions of another file would be none of the program's. */
	if (rc == AS_OK && !object->verdict.len) {
		sites_addresses(s, object, order, n);
		if (s->n)
			rc = sites_ask(s, order, n, object, &err);
	}
	as_elf_close(object->file.elf);
	object->file.elf = NULL;
	return rc == AS_E_NOMEM ? rc : AS_OK;
}

static enum as_code sites_objects(struct sites *s)
{
	size_t n = s->top->n_rows, end;
	enum as_code rc = AS_OK;

	for (size_t i = 0; rc == AS_OK && i < n; i = end) {
		as_object object = sites_key(s->top, s->order[i])->object;

		for (end = i + 1; end < n; end++)
			if (sites_key(s->top, s->order[end])->object.i != object.i)
				break;
		if (as_path_is_file(as_object_path(s->top->prof, object)))
			rc = sites_read(s, s->order + i, end - i, object);
	}
	return rc;
}

/* ---- all ---- */

static enum as_code sites_all(struct sites *s, const struct as_session *ses,
	const struct as_inputs *in, struct as_arena *scratch)
{
	size_t n = s->top->n_rows;
	enum as_code rc;

	if (!as_arena_array(s->arena, &s->site, n) || !as_arena_array(scratch, &s->order, n) ||
		!as_arena_array(scratch, &s->addr, n) || !as_arena_array(scratch, &s->link, n) ||
		!as_arena_array(scratch, &s->caller, n))
		return AS_E_NOMEM;
	for (size_t i = 0; i < n; i++)
		s->order[i] = (uint32_t)i;
	AS_TRY(as_memory(as_sort_rows(s->top->prof->al, s->order, n, sites_cmp, s->top)));
	rc = as_objects_init(&s->objects, ses, in) ? sites_objects(s) : AS_E_NOMEM;
	as_objects_release(&s->objects);
	return rc;
}

enum as_exit as_sites_find(
	const struct as_session *ses, const struct as_inputs *in, struct as_top *top)
{
	struct sites s = {.top = top, .arena = &top->arena};
	struct as_session silent = *ses; /* what is odd was said when names were looked for */
	struct as_arena scratch;
	enum as_code rc;

	as_assert(top->table->by == AS_BY_ADDR);
	if (!as_session_wants_names(ses))
		return AS_EXIT_OK;
	silent.say = NULL;
	as_arena_init(&scratch, ses->al);
	rc = sites_all(&s, &silent, in, &scratch);
	as_arena_release(&scratch);
	top->site = s.site;
	return as_say_code(ses, rc, NULL);
}
