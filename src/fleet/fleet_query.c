/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_query.h"

#include "fleet/fleet_sql.h"

static enum as_code query_decode(struct as_slice text, struct as_arena *arena, struct as_slice *out,
	const char **way, struct as_err *err)
{
	char *to = as_arena_get(arena, text.len + 1);
	uint64_t byte;
	size_t n = 0;

	AS_TRY(as_err_memory(err, to));
	for (size_t i = 0; i < text.len; i++) {
		to[n++] = (char)(text.p[i] == '+' ? ' ' : text.p[i]);
		if (text.p[i] != '%')
			continue;
		if (text.len - i < 3 ||
			!as_slice_hex((struct as_slice){text.p + i + 1, 2}, &byte)) {
			*way = "a '%' itself is %25";
			return as_err_set(err, AS_E_ARG,
				"'%.*s': a '%%' stands before two hexadecimal digits",
				AS_SLICE_FMT(text));
		}
		to[n - 1] = (char)byte;
		i += 2;
	}
	to[n] = 0;
	*out = (struct as_slice){to, n};
	return AS_OK;
}

static enum as_code query_term(struct as_slice word, struct as_arena *arena,
	struct as_fleet_term *term, const char **way, struct as_err *err)
{
	bool has = as_slice_has(word, '=');
	struct as_slice key;

	(void)as_slice_cut(&word, '=', &key);
	if (!has || !key.len) {
		*way = "as in store:fleet?service=api&since=1h";
		return as_err_set(err, AS_E_ARG, "'%.*s' in the query of a store is no KEY=VALUE",
			AS_SLICE_FMT(key));
	}
	AS_TRY(query_decode(key, arena, &term->key, way, err));
	return query_decode(word, arena, &term->value, way, err);
}

enum as_code as_fleet_query_terms(struct as_slice query, struct as_arena *arena,
	const struct as_alloc *al, struct as_fleet_terms *out, const char **way, struct as_err *err)
{
	struct as_fleet_term term;
	struct as_slice word;

	while (as_slice_cut(&query, '&', &word)) {
		if (!word.len)
			continue;
		AS_TRY(query_term(word, arena, &term, way, err));
		AS_TRY(as_err_memory(err, as_vec_push(al, &out->term, term)));
	}
	return AS_OK;
}

static void query_put_text(struct as_sql *text, struct as_slice part)
{
	for (size_t i = 0; i < part.len; i++) {
		struct as_slice c = {part.p + i, 1};

		if (c.p[0] && strchr("-._~:", c.p[0]))
			as_sql_puts(text, c);
		else
			as_sql_percent(text, c);
	}
}

void as_fleet_query_put(struct as_sql *text, const char *sep, const struct as_fleet_term *term)
{
	as_sql_put(text, sep);
	query_put_text(text, term->key);
	as_sql_put(text, "=");
	query_put_text(text, term->value);
}
