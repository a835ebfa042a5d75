/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a file of the symbol cache. As they are, the checksum keeps nearly all of them out;
 * so it is put right, and what is accepted then can be read through, and written again to the
 * same answers.
 */
#include "lib/fuzz_must.h"
#include "symbols/cache/symbol_cache_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHECK_AT = 24, HEAD = 64 };

/* All addresses of VIEW in SET, which is LENT the strings or gets copies. */
static void copy_all(const struct as_symcache_view *view, struct as_symset *set, bool lent)
{
	as_str *map = as_alloc_new(&as_alloc_libc, view->n_str * sizeof(*map));

	must(map && as_symset_init(set, &as_alloc_libc) && (!lent || as_symcache_lend(view, set)));
	for (size_t i = 0; i < view->n_addr; i++)
		must(as_symcache_copy(view, i, lent ? NULL : map, set));
	must(as_symset_next(set) && set->frame.n == view->n_frame);
	as_alloc_free(&as_alloc_libc, map, view->n_str * sizeof(*map));
}

static void must_be_same(const struct as_symset *a, const struct as_symset *b)
{
	must(a->first.n == b->first.n && a->frame.n == b->frame.n);
	must(memcmp(a->first.p, b->first.p, a->first.n * sizeof(*a->first.p)) == 0);
	for (size_t i = 0; i < a->frame.n; i++) {
		must(a->frame.p[i].line == b->frame.p[i].line);
		must(as_slice_eq(as_strings_get(&a->str, a->frame.p[i].name),
			as_strings_get(&b->str, b->frame.p[i].name)));
		must(as_slice_eq(as_strings_get(&a->str, a->frame.p[i].file),
			as_strings_get(&b->str, b->frame.p[i].file)));
	}
}

static void round_trip(const struct as_symcache_view *view, struct as_slice key)
{
	struct as_symcache_image image;
	struct as_symcache_view again;
	struct as_symset one, two;

	copy_all(view, &one, false);
	must(as_symcache_make(&image, key, view->addr, view->n_addr, &one) == AS_OK);
	must(as_symcache_parse(&again, (struct as_slice){image.p, image.size}, key));
	must(memcmp(again.addr, view->addr, view->n_addr * sizeof(*view->addr)) == 0);
	copy_all(&again, &two, true);
	must_be_same(&one, &two);
	as_alloc_free(&as_alloc_libc, image.p, image.size);
	as_symset_release(&one);
	as_symset_release(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* malloc() aligns as a mapped file is aligned. */
	char *copy = as_alloc_new(&as_alloc_libc, size + 1);
	struct as_slice bytes = {copy, size}, key = {"key", 3};
	struct as_symcache_view view;
	uint64_t sum, full = size;

	must(copy != NULL);
	if (size)
		memcpy(copy, data, size);
	if (as_symcache_parse(&view, bytes, key))
		round_trip(&view, key);
	if (size >= HEAD) {
		memcpy(copy + CHECK_AT - sizeof(full), &full, sizeof(full));
		sum = as_symcache_sum(bytes);
		memcpy(copy + CHECK_AT, &sum, sizeof(sum));
		if (as_symcache_parse(&view, bytes, key))
			round_trip(&view, key);
	}
	as_alloc_free(&as_alloc_libc, copy, size + 1);
	return 0;
}
