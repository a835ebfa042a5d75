/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/symbol_kept.h"

#include "base/pool.h"
#include "base/sort.h"

enum { OPEN_MAX_OBJECTS = 128 }; /* files that stay open from one time to the next */

/* ---- answers ---- */

static uint64_t kept_hash(uint64_t vaddr)
{
	return as_hash_mix(vaddr, 1);
}

void as_kept_rows(const struct as_kept_object *ob, const uint64_t *vaddr, size_t n, uint32_t *row)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t at = AS_INDEX_START, hash = kept_hash(vaddr[i]);

		do {
			if (!as_index_find(&ob->index, hash, &at, &row[i]))
				row[i] = UINT32_MAX;
		} while (row[i] != UINT32_MAX && ob->vaddr.p[row[i]] != vaddr[i]);
	}
}

/* The frames of answer I of FROM, as another answer of TO. */
static bool kept_copy(struct as_symset *to, const struct as_symset *from, size_t i)
{
	if (!as_symset_next(to))
		return false;
	for (uint32_t k = from->first.p[i]; k < from->first.p[i + 1]; k++) {
		const struct as_symframe *frame = &from->frame.p[k];
		struct as_symtext text = {.name = as_strings_get(&from->str, frame->name),
			.file = as_strings_get(&from->str, frame->file),
			.decl = as_strings_get(&from->str, frame->decl),
			.start = frame->start,
			.line = frame->line};

		as_assert(i < from->first.n);
		if (!as_symset_frame(to, &text))
			return false;
	}
	return true;
}

static bool kept_put_one(struct as_kept_object *ob, uint64_t vaddr, bool fresh)
{
	uint32_t row = (uint32_t)ob->vaddr.n;

	return as_vec_push(ob->al, &ob->vaddr, vaddr) &&
	       as_index_add(&ob->index, kept_hash(vaddr), row) &&
	       (!fresh || as_vec_push(ob->al, &ob->fresh, row));
}

/* Whatever happens, the set has the answers of VADDR, and where the last one ends. */
bool as_kept_put(struct as_kept_object *ob, const uint64_t *vaddr, size_t n,
	const struct as_symset *set, const bool *taken, bool fresh)
{
	bool ok = as_vec_reserve(ob->al, &ob->set.first, ob->set.first.n + n + 1);

	as_assert(set->first.n == n + 1 && ob->set.first.n == ob->vaddr.n + 1);
	if (!ok)
		return false;
	ob->set.first.n--; /* it is told anew */
	for (size_t i = 0; i < n && ok; i++)
		if (!taken || taken[i])
			ok = kept_copy(&ob->set, set, i) && kept_put_one(ob, vaddr[i], fresh);
	return (ob->set.first.n > ob->vaddr.n || as_symset_next(&ob->set)) && ok;
}

/* ---- to the cache on disk ---- */

static int kept_cmp_fresh(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_kept_object *ob = ctx;

	return as_cmp_u64(ob->vaddr.p[ob->fresh.p[a]], ob->vaddr.p[ob->fresh.p[b]]);
}

/* Answers that cannot be written are dropped. */
static void kept_write(const struct as_kept_object *ob, const struct as_alloc *al)
{
	uint32_t *order = as_sorted_rows(al, ob->fresh.n, kept_cmp_fresh, ob);
	struct as_symset set;
	uint64_t *vaddr;
	bool ok;

	ok = order && as_alloc_array(al, &vaddr, ob->fresh.n) && as_symset_init(&set, al);
	for (size_t i = 0; ok && i < ob->fresh.n; i++) {
		uint32_t row = ob->fresh.p[order[i]];

		vaddr[i] = ob->vaddr.p[row];
		ok = kept_copy(&set, &ob->set, row);
	}
	if (ok && as_symset_next(&set) &&
		as_symcache_put(&ob->cache, &ob->key, vaddr, ob->fresh.n, &set) != AS_OK)
		return;
}

/* ---- objects ---- */

static void symbol_kept_release(struct as_kept_object *ob)
{
	const struct as_alloc *al = ob->al;
	struct as_pool pool;

	if (ob->fresh.n) {
		as_pool_init(&pool, al);
		kept_write(ob, &pool.al);
		as_pool_release(&pool);
	}
	as_elf_close(ob->file.elf);
	as_symset_release(&ob->set);
	as_index_release(&ob->index);
	as_vec_free(al, &ob->vaddr);
	as_vec_free(al, &ob->fresh);
	as_arena_release(&ob->arena);
	as_alloc_free(al, ob, sizeof(*ob));
}

static void symbol_kept_drop(struct as_kept_names *kept, size_t i)
{
	as_assert(i < kept->object.n);
	symbol_kept_release(kept->object.p[i]);
	kept->object.p[i] = kept->object.p[--kept->object.n];
}

void as_kept_begin(struct as_kept_names *kept)
{
	kept->run++;
	while (kept->object.n > OPEN_MAX_OBJECTS) {
		size_t oldest = 0;

		for (size_t i = 1; i < kept->object.n; i++)
			if (kept->object.p[i]->used < kept->object.p[oldest]->used)
				oldest = i;
		symbol_kept_drop(kept, oldest);
	}
}

static bool kept_is_same_file(const struct as_kept_object *ob)
{
	struct as_file_facts now;

	return as_file_facts(ob->file.path.p, &now) && now.size == ob->facts.size &&
	       now.mtime == ob->facts.mtime;
}

struct as_kept_object *as_kept_find(
	struct as_kept_names *kept, const struct as_profile *prof, as_object o)
{
	struct as_slice path = as_object_path(prof, o),
			id = as_str_get(prof, prof->object.p[o.i].id);

	for (size_t i = 0; i < kept->object.n; i++) {
		struct as_kept_object *ob = kept->object.p[i];

		if (!as_slice_eq(ob->id, id) || !as_slice_eq(ob->path, path))
			continue;
		if (kept_is_same_file(ob)) {
			ob->used = kept->run;
			return ob;
		}
		symbol_kept_drop(kept, i);
		return NULL;
	}
	return NULL;
}

static bool kept_fill(struct as_kept_object *ob, const struct as_profile *prof, as_object o,
	const struct as_symfile *file)
{
	ob->path = as_arena_dup(&ob->arena, as_object_path(prof, o));
	ob->id = as_arena_dup(&ob->arena, as_str_get(prof, prof->object.p[o.i].id));
	ob->file = *file;
	ob->file.path = as_arena_dup(&ob->arena, file->path);
	ob->file.note = as_arena_dup(&ob->arena, file->note);
	return ob->path.p && ob->id.p && ob->file.path.p && ob->file.note.p &&
	       as_symset_next(&ob->set);
}

/* Without a build id it could be another file each time. */
enum as_code as_kept_add(struct as_kept_names *kept, const struct as_profile *prof, as_object o,
	const struct as_symfile *file, struct as_kept_object **out)
{
	struct as_kept_object *ob;
	struct as_file_facts facts;

	*out = NULL;
	if (!prof->object.p[o.i].id.i || !as_file_facts(file->path.p, &facts))
		return AS_OK;
	ob = as_alloc_new(kept->al, sizeof(*ob));
	AS_TRY(as_memory(ob));
	*ob = (struct as_kept_object){.al = kept->al, .facts = facts, .used = kept->run};
	as_arena_init(&ob->arena, kept->al);
	as_index_init(&ob->index, kept->al);
	if (as_symset_init(&ob->set, kept->al) && kept_fill(ob, prof, o, file) &&
		as_vec_push(kept->al, &kept->object, ob)) {
		*out = ob;
		return AS_OK;
	}
	ob->file.elf = NULL; /* it stays the caller's */
	symbol_kept_release(ob);
	return AS_E_NOMEM;
}

/* ---- all ---- */

struct as_kept_names *as_kept_names_new(const struct as_alloc *al)
{
	struct as_kept_names *kept = as_alloc_new(al, sizeof(*kept));

	if (kept)
		kept->al = al;
	return kept;
}

void as_kept_names_free(struct as_kept_names *kept)
{
	if (!kept)
		return;
	if (kept->there)
		as_name_list_release(&kept->list);
	for (size_t i = 0; i < kept->object.n; i++)
		symbol_kept_release(kept->object.p[i]);
	as_vec_free(kept->al, &kept->object);
	as_alloc_free(kept->al, kept, sizeof(*kept));
}
