/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/cache/symbol_cache_file.h"

#define MAGIC 0x31304d5953594153u /* "SAYSYM01" on a little-endian machine */

struct head {
	uint64_t magic, version, size, check;
	uint64_t n_addr, n_frame, n_str, n_key;
};

/* as_hash_bytes() in four lanes, which do not wait for each other. */
static uint64_t sum_of(const char *p, size_t n)
{
	uint64_t lane[4] = {n, 1, 2, 3}, w[4];

	for (; n >= sizeof(w); p += sizeof(w), n -= sizeof(w)) {
		memcpy(w, p, sizeof(w));
		for (unsigned i = 0; i < 4; i++)
			lane[i] = as_hash_mix(lane[i], w[i]);
	}
	return as_hash_mix(as_hash_bytes(lane, sizeof(lane)), as_hash_bytes(p, n));
}

uint64_t as_symcache_sum(struct as_slice bytes)
{
	size_t at = offsetof(struct head, check), behind = at + sizeof(uint64_t);

	return as_hash_mix(
		as_hash_bytes(bytes.p, at), sum_of(bytes.p + behind, bytes.len - behind));
}

/* Bytes before the text. No overflow: each count is below 2^32. */
static uint64_t text_offset(const struct head *h)
{
	return sizeof(*h) + 8 * h->n_addr + 4 * (h->n_addr + 1) + 24 * h->n_frame +
	       4 * (h->n_str + 1) + h->n_key;
}

static bool counts_fit(const struct head *h, size_t size)
{
	return h->n_addr < UINT32_MAX && h->n_frame < UINT32_MAX && h->n_str < UINT32_MAX &&
	       h->n_str > 0 && h->n_key < UINT32_MAX && text_offset(h) <= size;
}

/* V[0 .. N] begins with 0, never falls and ends with LAST. */
static bool is_ladder(const uint32_t *v, size_t n, uint64_t last)
{
	unsigned falls = 0;

	for (size_t i = 0; i < n; i++)
		falls |= v[i] > v[i + 1];
	return !falls && v[0] == 0 && v[n] == last;
}

static bool are_below(const uint32_t *v, size_t n, size_t limit)
{
	uint32_t most = 0;

	for (size_t i = 0; i < n; i++)
		most = v[i] > most ? v[i] : most;
	return most < limit;
}

static bool cache_file_is_ascending(const uint64_t *v, size_t n)
{
	unsigned bad = 0;

	for (size_t i = 1; i < n; i++)
		bad |= v[i] <= v[i - 1];
	return !bad;
}

static void cache_file_lay_out(struct as_symcache_view *v, const struct head *h, const char *bytes)
{
	v->n_addr = (size_t)h->n_addr;
	v->n_frame = (size_t)h->n_frame;
	v->n_str = (size_t)h->n_str;
	v->addr = (const uint64_t *)(const void *)(bytes + sizeof(*h));
	v->start = v->addr + v->n_addr;
	v->first = (const uint32_t *)(const void *)(v->start + v->n_frame);
	v->name = v->first + v->n_addr + 1;
	v->file = v->name + v->n_frame;
	v->decl = v->file + v->n_frame;
	v->line = v->decl + v->n_frame;
	v->str_at = v->line + v->n_frame;
	v->text = (const char *)(v->str_at + v->n_str + 1) + h->n_key;
}

bool as_symcache_parse(struct as_symcache_view *view, struct as_slice bytes, struct as_slice key)
{
	struct as_slice has;
	struct head h;

	if (bytes.len < sizeof(h))
		return false;
	memcpy(&h, bytes.p, sizeof(h));
	if (h.magic != MAGIC || h.version != AS_SYMCACHE_VERSION || h.size != bytes.len)
		return false;
	if (!counts_fit(&h, bytes.len) || h.check != as_symcache_sum(bytes))
		return false;
	cache_file_lay_out(view, &h, bytes.p);
	has = (struct as_slice){view->text - h.n_key, (size_t)h.n_key};
	return as_slice_eq(has, key) && cache_file_is_ascending(view->addr, view->n_addr) &&
	       is_ladder(view->first, view->n_addr, h.n_frame) &&
	       is_ladder(view->str_at, view->n_str, bytes.len - text_offset(&h)) &&
	       view->str_at[1] == 0 && are_below(view->name, view->n_frame, view->n_str) &&
	       are_below(view->file, view->n_frame, view->n_str) &&
	       are_below(view->decl, view->n_frame, view->n_str);
}

static char *cache_file_put(char *p, const void *from, size_t n)
{
	if (n)
		memcpy(p, from, n);
	return p + n;
}

static char *cache_file_put_u32(char *p, uint32_t v)
{
	return cache_file_put(p, &v, sizeof(v));
}

static char *cache_file_put_frames(char *p, const struct as_symset *set)
{
	for (size_t i = 0; i < set->frame.n; i++)
		p = cache_file_put_u32(p, set->frame.p[i].name.i);
	for (size_t i = 0; i < set->frame.n; i++)
		p = cache_file_put_u32(p, set->frame.p[i].file.i);
	for (size_t i = 0; i < set->frame.n; i++)
		p = cache_file_put_u32(p, set->frame.p[i].decl.i);
	for (size_t i = 0; i < set->frame.n; i++)
		p = cache_file_put_u32(p, set->frame.p[i].line);
	return p;
}

static void put_strings(char *p, const struct as_symset *set, struct as_slice key)
{
	uint32_t at = 0;

	for (size_t i = 0; i < set->str.row.n; i++) {
		p = cache_file_put_u32(p, at);
		at += (uint32_t)set->str.row.p[i].len;
	}
	p = cache_file_put_u32(p, at);
	p = cache_file_put(p, key.p, key.len);
	for (size_t i = 0; i < set->str.row.n; i++)
		p = cache_file_put(p, set->str.row.p[i].p, set->str.row.p[i].len);
}

enum as_code as_symcache_make(struct as_symcache_image *image, struct as_slice key,
	const uint64_t *addr, size_t n, const struct as_symset *set)
{
	struct head h = {.magic = MAGIC,
		.version = AS_SYMCACHE_VERSION,
		.n_addr = n,
		.n_frame = set->frame.n,
		.n_str = set->str.row.n,
		.n_key = key.len};
	uint64_t text = 0;
	char *p;

	*image = (struct as_symcache_image){NULL, 0};
	for (size_t i = 0; i < set->str.row.n; i++)
		text += set->str.row.p[i].len;
	if (text >= UINT32_MAX || !counts_fit(&h, SIZE_MAX))
		return AS_E_LIMIT;
	h.size = text_offset(&h) + text;
	if (h.size > SIZE_MAX / 2)
		return AS_E_LIMIT;
	image->size = (size_t)h.size;
	image->p = set->al->resize(set->al->ctx, NULL, 0, image->size);
	AS_TRY(as_memory(image->p));
	p = cache_file_put(image->p, &h, sizeof(h));
	p = cache_file_put(p, addr, n * sizeof(*addr));
	for (size_t i = 0; i < set->frame.n; i++)
		p = cache_file_put(p, &set->frame.p[i].start, sizeof(set->frame.p[i].start));
	p = cache_file_put(p, set->first.p, (n + 1) * sizeof(*set->first.p));
	put_strings(cache_file_put_frames(p, set), set, key);
	h.check = as_symcache_sum((struct as_slice){image->p, image->size});
	cache_file_put(image->p + offsetof(struct head, check), &h.check, sizeof(h.check));
	return AS_OK;
}

static bool cache_file_copy_string(
	const struct as_symcache_view *v, as_str *str, as_str *map, struct as_symset *set)
{
	uint32_t i = str->i;
	struct as_slice text = {v->text + v->str_at[i], v->str_at[i + 1] - v->str_at[i]};

	if (!map[i].i && !as_strings_add(&set->str, text, &map[i]))
		return false;
	*str = map[i];
	return true;
}

bool as_symcache_lend(const struct as_symcache_view *view, struct as_symset *set)
{
	if (!as_vec_reserve(set->al, &set->str.row, view->n_str))
		return false;
	for (size_t i = set->str.row.n; i < view->n_str; i++)
		set->str.row.p[i] = (struct as_slice){
			view->text + view->str_at[i], view->str_at[i + 1] - view->str_at[i]};
	set->str.row.n = view->n_str ? view->n_str : 1;
	return true;
}

bool as_symcache_copy(
	const struct as_symcache_view *view, size_t i, as_str *map, struct as_symset *set)
{
	if (!as_symset_next(set))
		return false;
	for (uint32_t k = view->first[i]; k < view->first[i + 1]; k++) {
		struct as_symframe frame = {{view->name[k]}, {view->file[k]}, {view->decl[k]},
			view->line[k], view->start[k]};

		if (map && (!cache_file_copy_string(view, &frame.name, map, set) ||
				   !cache_file_copy_string(view, &frame.file, map, set) ||
				   !cache_file_copy_string(view, &frame.decl, map, set)))
			return false;
		if (!as_vec_push(set->al, &set->frame, frame))
			return false;
	}
	return true;
}
