/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Getting is one pass over two sorted lists of addresses, the file's and the caller's. Putting
 * merges them into a new file; of two programs that do so at once one is overtaken, and its
 * answers are found again another time.
 */
#include "symbols/cache/symbol_cache.h"

#include "base/pool.h"
#include "base/sort.h"
#include "symbols/cache/symbol_cache_dir.h"
#include "symbols/cache/symbol_cache_file.h"
#include "symbols/names/demangle.h"

enum { ID_MAX = 128, SHARE = 4 };

/* A file of the cache, opened. */
struct kept {
	struct as_slice bytes;
	struct as_symcache_view view; /* n_addr 0: nothing there */
};

/* File name and content of a key. */
struct label {
	char name[AS_SYMCACHE_NAME];
	struct as_arena arena;
	struct as_slice key;
};

static bool is_hex(struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!memchr("0123456789abcdef", s.p[i], 16))
			return false;
	return s.len;
}

static bool is_cached(const struct as_symcache *cache, const struct as_symcache_key *key)
{
	return cache->dir && cache->dir[0] && cache->max_size && key->build_id.len <= ID_MAX &&
	       is_hex(key->build_id);
}

/* The name has a hash of what does not fit into one; the file has it in full. */
static bool label_init(
	struct label *lb, const struct as_symcache *cache, const struct as_symcache_key *key)
{
	as_arena_init(&lb->arena, cache->al);
	lb->key = as_arena_printf(&lb->arena, "%.*s\n%s%s\n%.*s", AS_SLICE_FMT(key->build_id),
		key->inlines ? "inlines" : "functions",
		as_demangle_is_built() ? "" : ", linkage names", AS_SLICE_FMT(key->debug_file));
	if (!lb->key.p) {
		as_arena_release(&lb->arena);
		return false;
	}
	snprintf(lb->name, sizeof(lb->name), "%.*s-%016" PRIx64 ".names",
		AS_SLICE_FMT(key->build_id), as_hash_bytes(lb->key.p, lb->key.len));
	return true;
}

static void kept_release(struct kept *kp)
{
	as_symcache_unmap(kp->bytes);
	*kp = (struct kept){.bytes = {NULL, 0}};
}

/* What is there for LB; nothing, if it is damaged. Ends in kept_release(). */
static void kept_open(struct kept *kp, const struct as_symcache *cache, const struct label *lb)
{
	*kp = (struct kept){.bytes = as_symcache_map(cache, lb->name)};
	if (!kp->bytes.p || !as_symcache_parse(&kp->view, kp->bytes, lb->key))
		kp->view = (struct as_symcache_view){0};
}

/* The first address from I on that is not below ADDR. Steps grow, so that few questions to a
 * large file are quick and many are a plain pass. */
static size_t cache_seek(const struct as_symcache_view *v, size_t i, uint64_t addr)
{
	size_t step = 1, lo = i, hi;

	while (lo + step < v->n_addr && v->addr[lo + step] < addr) {
		lo += step;
		step *= 2;
	}
	hi = lo + step < v->n_addr ? lo + step : v->n_addr;
	return lo < hi ? lo + as_numbers_below(v->addr + lo, hi - lo, addr) : lo;
}

static enum as_code cache_answer(const struct as_symcache_view *v, const uint64_t *vaddr, size_t n,
	struct as_symset *set, bool *known)
{
	size_t at = 0;

	AS_TRY(as_memory(as_vec_reserve(set->al, &set->first, n + 1) && as_symcache_lend(v, set)));
	for (size_t i = 0; i < n; i++) {
		at = cache_seek(v, at, vaddr[i]);
		known[i] = at < v->n_addr && v->addr[at] == vaddr[i];
		if (known[i] ? !as_symcache_copy(v, at, NULL, set) : !as_symset_next(set))
			return AS_E_NOMEM;
	}
	return as_symset_next(set) ? AS_OK : AS_E_NOMEM;
}

enum as_code as_symcache_get(const struct as_symcache *cache, const struct as_symcache_key *key,
	const uint64_t *vaddr, size_t n, struct as_symset *set, bool *known)
{
	struct kept kp = {.bytes = {NULL, 0}};
	struct label lb;

	if (n && is_cached(cache, key)) {
		AS_TRY(as_memory(label_init(&lb, cache, key)));
		kept_open(&kp, cache, &lb);
		as_arena_release(&lb.arena);
	}
	set->lent = kp.bytes;
	return cache_answer(&kp.view, vaddr, n, set, known);
}

/* Old answers and new ones, by address. */
struct merge {
	const struct kept *old;
	const uint64_t *vaddr;
	size_t n;
	const struct as_symset *set;
	struct as_symset all;
	AS_VEC(uint64_t) addr;
	as_str *map, *old_map; /* strings of SET and of OLD in ALL; 0 = not yet */
};

static bool cache_copy_string(struct merge *mg, as_str from, as_str *to)
{
	if (from.i && !mg->map[from.i].i &&
		!as_strings_add(
			&mg->all.str, as_strings_get(&mg->set->str, from), &mg->map[from.i]))
		return false;
	*to = mg->map[from.i];
	return true;
}

static bool copy_new(struct merge *mg, size_t i)
{
	if (!as_symset_next(&mg->all))
		return false;
	for (uint32_t k = mg->set->first.p[i]; k < mg->set->first.p[i + 1]; k++) {
		struct as_symframe frame = mg->set->frame.p[k];

		as_assert(i < mg->set->first.n);
		if (!cache_copy_string(mg, frame.name, &frame.name) ||
			!cache_copy_string(mg, frame.file, &frame.file) ||
			!cache_copy_string(mg, frame.decl, &frame.decl) ||
			!as_vec_push(mg->all.al, &mg->all.frame, frame))
			return false;
	}
	return true;
}

static bool merge_all(struct merge *mg)
{
	const struct as_symcache_view *old = &mg->old->view;
	size_t i = 0, k = 0;

	while (i < mg->n || k < old->n_addr) {
		bool is_new = i < mg->n && (k == old->n_addr || mg->vaddr[i] <= old->addr[k]);
		uint64_t addr = is_new ? mg->vaddr[i] : old->addr[k];
		bool ok =
			is_new ? copy_new(mg, i) : as_symcache_copy(old, k, mg->old_map, &mg->all);

		if (!ok || !as_vec_push(mg->all.al, &mg->addr, addr))
			return false;
		k += k < old->n_addr && old->addr[k] == addr;
		i += is_new;
	}
	return as_symset_next(&mg->all);
}

/* A file that cannot be written is no error. */
static enum as_code write_image(const struct as_symcache *cache, const struct label *lb,
	const uint64_t *addr, size_t n, const struct as_symset *set)
{
	struct as_symcache_image image;
	enum as_code rc = as_symcache_make(&image, lb->key, addr, n, set);
	struct as_slice bytes = {image.p, image.size};

	if (rc == AS_OK && image.size <= cache->max_size)
		(void)as_symcache_replace(cache, lb->name, bytes);
	as_alloc_free(set->al, image.p, image.size);
	return rc == AS_E_LIMIT ? AS_OK : rc;
}

static enum as_code write_merged(
	struct merge *mg, const struct as_symcache *cache, const struct label *lb)
{
	enum as_code rc = AS_E_NOMEM;
	struct as_pool pool;

	as_pool_init(&pool, cache->al);
	if (as_symset_init(&mg->all, &pool.al) &&
		as_alloc_array(&pool.al, &mg->map, mg->set->str.row.n) &&
		as_alloc_array(&pool.al, &mg->old_map, mg->old->view.n_str) && merge_all(mg))
		rc = write_image(cache, lb, mg->addr.p, mg->addr.n, &mg->all);
	as_pool_release(&pool);
	return rc;
}

static bool has_all(const struct as_symcache_view *v, const uint64_t *vaddr, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		at = cache_seek(v, at, vaddr[i]);
		if (at == v->n_addr || v->addr[at] != vaddr[i])
			return false;
	}
	return true;
}

enum as_code as_symcache_put(const struct as_symcache *cache, const struct as_symcache_key *key,
	const uint64_t *vaddr, size_t n, const struct as_symset *set)
{
	struct kept old;
	struct merge mg = {.old = &old, .vaddr = vaddr, .n = n, .set = set};
	struct label lb;
	enum as_code rc = AS_OK;

	if (!n || !is_cached(cache, key))
		return AS_OK;
	as_assert(set->first.n == n + 1);
	AS_TRY(as_memory(label_init(&lb, cache, key)));
	kept_open(&old, cache, &lb);
	if (!has_all(&old.view, vaddr, n)) {
		/* One object must not crowd out the others: start over with what is new. */
		if (old.bytes.len > cache->max_size / SHARE)
			kept_release(&old);
		rc = old.view.n_addr ? write_merged(&mg, cache, &lb)
				     : write_image(cache, &lb, vaddr, n, set);
		if (rc == AS_OK && as_symcache_trim(cache, cache->max_size, NULL) == AS_E_NOMEM)
			rc = AS_E_NOMEM;
	}
	kept_release(&old);
	as_arena_release(&lb.arena);
	return rc;
}
