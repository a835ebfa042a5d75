/* SPDX-License-Identifier: Apache-2.0 */
/* What the profile says of an object's addresses, against the file that is there. */
#include <stdlib.h>

#include "session/list/list.h"
#include "symbols/code_check.h"
#include "table/project.h"

struct claims {
	const struct as_profile *prof;
	as_object object;
	bool named; /* names are those that the recorder knew, not what some file gave later */
	AS_VEC(struct as_code_claim) claim;
};

static bool list_claims_add(struct claims *c, uint64_t addr, struct as_slice func, bool call_only)
{
	struct as_code_claim claim = {addr, c->named ? func : as_slice_of(""), call_only};

	return !addr || as_vec_push(c->prof->al, &c->claim, claim);
}

static bool list_claims_add_rows(struct claims *c, const struct as_rows *rows, bool call_only)
{
	size_t size = ((size_t)rows->width + 1) * sizeof(as_val);
	as_val *v = as_alloc_new(c->prof->al, size);
	struct as_rows_cur cur;
	bool ok = v;

	for (size_t i = 0; ok && i < rows->run.n; i++) {
		const struct as_run *run = &rows->run.p[i];
		struct as_slice name = as_fold_context(c->prof, as_func_name(c->prof, run->func));

		if (c->prof->func.object.p[run->func.i].i != c->object.i)
			continue;
		as_rows_begin(&cur, rows, run, v);
		while (ok && as_rows_next(&cur))
			ok = list_claims_add(c, cur.addr, name, call_only);
	}
	as_alloc_free(c->prof->al, v, size);
	return ok;
}

static bool add_places(struct claims *c)
{
	const struct as_profile *prof = c->prof;

	for (size_t i = 1; i < prof->place.func.n; i++)
		if (prof->func.object.p[prof->place.func.p[i].i].i == c->object.i &&
			!list_claims_add(c, prof->place.addr.p[i], as_slice_of(""), false))
			return false;
	return true;
}

static int cmp_claim(const void *a, const void *b)
{
	const struct as_code_claim *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (int)x->call_only - (int)y->call_only;
}

/* Each address once, by what says most of it. */
static void list_claims_sort(struct claims *c)
{
	struct as_code_claim *p = c->claim.p;
	size_t n = 0;

	if (c->claim.n)
		qsort(p, c->claim.n, sizeof(*p), cmp_claim);
	for (size_t i = 0; i < c->claim.n; i++)
		if (!n || p[n - 1].addr != p[i].addr)
			p[n++] = p[i];
	c->claim.n = n;
}

/* Formats that do not say have addresses as the linker laid them out, but what was converted into
 * them may have offsets in the file: they become the former. */
static bool are_offsets(const struct claims *c, struct as_elf *elf)
{
	enum as_addr_kind kind = c->prof->object.p[c->object.i].addr_kind;
	bool virtual = true, offset = true;
	uint64_t vaddr;

	for (size_t i = 0; kind == AS_ADDR_UNKNOWN && i < c->claim.n; i++) {
		virtual = virtual && as_elf_code(elf, c->claim.p[i].addr, 1);
		offset = offset && as_elf_vaddr(elf, c->claim.p[i].addr, &vaddr);
	}
	return kind == AS_ADDR_FILE_OFFSET || (offset && !virtual && c->claim.n);
}

static enum as_code list_claims_check(struct as_objects *o, const struct claims *c,
	struct as_object_code *out, struct as_err *err)
{
	struct as_code_verdict verdict;
	enum as_code rc;

	for (size_t i = 0; out->file_offsets && i < c->claim.n; i++)
		if (!as_elf_vaddr(out->file.elf, c->claim.p[i].addr, &c->claim.p[i].addr))
			return AS_OK; /* the mappings tell */
	rc = as_code_check(out->file.elf, o->ses->al, c->claim.p, c->claim.n, &verdict, err);
	if (rc == AS_E_UNSUPPORTED)
		return AS_OK; /* as_code_read() says so */
	if (rc == AS_OK)
		out->verdict = as_code_verdict_text(&verdict, out->file.path, &o->arena);
	return rc == AS_OK && !out->verdict.p ? AS_E_NOMEM : rc;
}

static bool is_proven(const struct as_profile *prof, as_object object, const struct as_elf *elf)
{
	struct as_slice id = as_elf_facts(elf)->build_id;

	return id.len && as_slice_eq(id, as_str_get(prof, prof->object.p[object.i].id));
}

/* Callgrind itself wrote all of it, so that functions are those of its symbol tables. */
static bool is_callgrinds(const struct as_profile *prof)
{
	for (size_t i = 0; i < prof->part.n; i++)
		if (!as_slice_starts(as_str_get(prof, prof->part.p[i].creator), "callgrind-"))
			return false;
	return true;
}

static bool is_named_by_us(const struct as_objects *o, as_object object)
{
	for (size_t i = 0; i < o->report->object.n; i++)
		if (o->report->object.p[i].object.i == object.i)
			return true;
	return false;
}

bool as_object_is_proven(const struct as_objects *o, as_object object)
{
	as_assert(object.i < o->prof->object.n && o->object[object.i].file.elf);
	return is_proven(o->prof, object, o->object[object.i].file.elf);
}

enum as_code as_objects_check(struct as_objects *o, as_object object, struct as_err *err)
{
	const struct as_profile *prof = o->prof;
	struct claims c = {.prof = prof,
		.object = object,
		.named = is_callgrinds(prof) && !is_named_by_us(o, object)};
	struct as_object_code *out = &o->object[object.i];
	bool paths = prof->sample.node.n && !o->places; /* callers lie inside of instructions */
	enum as_code rc = AS_OK;

	as_assert(object.i < prof->object.n && out->file.elf);
	if (!list_claims_add_rows(&c, &prof->self, false) ||
		!list_claims_add_rows(&c, &prof->call, true) || !add_places(&c))
		rc = AS_E_NOMEM;
	list_claims_sort(&c);
	if (rc == AS_OK)
		out->file_offsets = are_offsets(&c, out->file.elf);
	if (rc == AS_OK && !paths && !is_proven(prof, object, out->file.elf))
		rc = list_claims_check(o, &c, out, err);
	as_vec_free(prof->al, &c.claim);
	return rc == AS_E_NOMEM ? as_err_no_memory(err) : rc;
}
