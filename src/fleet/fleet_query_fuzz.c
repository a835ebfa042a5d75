/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the query of a store: its words, written again, are the same words. */
#include "fleet/fleet_query.h"
#include "fleet/fleet_sql.h"
#include "lib/fuzz_must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool terms_of(struct as_slice query, struct as_arena *arena, struct as_fleet_terms *terms)
{
	const char *way = NULL;
	struct as_err err;
	enum as_code rc;

	as_err_clear(&err);
	rc = as_fleet_query_terms(query, arena, &as_alloc_libc, terms, &way, &err);
	must(rc == AS_OK || (rc == AS_E_ARG && way && err.msg[0]));
	return rc == AS_OK;
}

static void written_again(const struct as_fleet_terms *terms, struct as_arena *arena)
{
	struct as_sql text = {.al = &as_alloc_libc};
	struct as_fleet_terms again = {0};

	for (size_t i = 0; i < terms->term.n; i++)
		as_fleet_query_put(&text, "&", &terms->term.p[i]);
	must(!text.failed);
	for (size_t i = 0; i < text.text.n; i++)
		must(text.text.p[i] > ' ' && !strchr("\"'<>/\\;$`+", text.text.p[i]));
	must(terms_of(as_sql_slice(&text), arena, &again) && again.term.n == terms->term.n);
	for (size_t i = 0; i < again.term.n; i++)
		must(as_slice_eq(again.term.p[i].key, terms->term.p[i].key) &&
			as_slice_eq(again.term.p[i].value, terms->term.p[i].value));
	as_vec_free(&as_alloc_libc, &again.term);
	as_sql_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_fleet_terms terms = {0};
	struct as_arena arena;

	as_arena_init(&arena, &as_alloc_libc);
	if (terms_of((struct as_slice){(const char *)data, size}, &arena, &terms))
		written_again(&terms, &arena);
	as_vec_free(&as_alloc_libc, &terms.term);
	as_arena_release(&arena);
	return 0;
}
