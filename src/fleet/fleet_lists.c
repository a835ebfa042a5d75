/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_lists.h"

#include "fleet/fleet_cur.h"
#include "fleet/fleet_sql.h"

/* More than these nobody looks through. */
enum { LISTS_TEXTS = 1000, LISTS_VALUES = 50 };

static const struct lists_from {
	enum as_fleet_table table;
	const char *select, *rest;
} lists_from[AS_FLEET_LISTS] = {
	{AS_PROF_BATCHES, "service", " ORDER BY service"},
	{AS_PROF_BATCHES, "host", " ORDER BY host"},
	{AS_PROF_SERIES, "type", " ORDER BY type"},
	{AS_PROF_SERIES, "k, if(t = '', toString(n), t) AS v",
		" ARRAY JOIN label_key AS k, label_text AS t, label_number AS n ORDER BY k, v "
		"LIMIT 51 BY k" /* LISTS_VALUES + 1 */},
};

static struct as_slice lists_label(
	struct as_arena *arena, struct as_slice key, struct as_slice value)
{
	char *to = as_arena_get(arena, key.len + value.len + 2);

	if (!to)
		return (struct as_slice){0};
	memcpy(to, key.p, key.len);
	to[key.len] = '=';
	memcpy(to + key.len + 1, value.p, value.len);
	return (struct as_slice){to, key.len + 1 + value.len};
}

static enum as_code lists_read(struct as_fleet_lists *lists, enum as_fleet_list which,
	struct as_slice answer, struct as_err *err)
{
	struct as_fleet_cur c = as_fleet_cur_of(answer);
	struct as_slice key = {NULL, 0}, text, before;
	size_t values = 0;

	while (as_fleet_more(&c)) {
		before = key;
		text = as_fleet_string(&c);
		if (which == AS_FLEET_LABELS) {
			key = text;
			text = as_fleet_string(&c);
			values = as_slice_eq(key, before) ? values + 1 : 1;
		}
		if (c.cut)
			break;
		if (lists->list[which].text.n == LISTS_TEXTS || values > LISTS_VALUES) {
			lists->list[which].more = true;
			continue;
		}
		text = which == AS_FLEET_LABELS ? lists_label(&lists->arena, key, text)
						: as_arena_dup(&lists->arena, text);
		AS_TRY(as_err_memory(err,
			text.p && as_vec_push(lists->arena.al, &lists->list[which].text, text)));
	}
	return c.cut ? as_err_set(err, AS_E_FORMAT, "the store's answer is damaged: a list")
		     : AS_OK;
}

static enum as_code lists_ask(struct as_fleet *f, struct as_fleet_lists *lists,
	enum as_fleet_list which, struct as_err *err)
{
	const struct lists_from *from = &lists_from[which];
	struct as_fleet_answer answer = {0};
	struct as_sql sql = {.al = lists->arena.al};
	enum as_code rc;

	as_sql_put(&sql, "SELECT DISTINCT ");
	as_sql_put(&sql, from->select);
	as_sql_put(&sql, " FROM ");
	as_sql_put(&sql, as_fleet_read(as_fleet_address_of(f), from->table));
	as_sql_put(&sql, from->rest);
	as_sql_put(&sql, " LIMIT ");
	as_sql_u64(&sql, LISTS_TEXTS + 1);
	as_sql_put(&sql, " FORMAT RowBinary");
	rc = as_err_memory(err, !sql.failed);
	AS_THEN(rc, as_fleet_query(f, as_sql_slice(&sql), &answer, err));
	AS_THEN(rc,
		lists_read(lists, which, (struct as_slice){answer.bytes.p, answer.bytes.n}, err));
	as_vec_free(lists->arena.al, &answer.bytes);
	as_sql_release(&sql);
	return rc;
}

enum as_code as_fleet_lists_ask(
	struct as_fleet *f, struct as_fleet_lists *lists, struct as_err *err)
{
	*lists = (struct as_fleet_lists){0};
	as_arena_init(&lists->arena, as_fleet_alloc(f));
	for (int which = 0; which < AS_FLEET_LISTS; which++)
		AS_TRY(lists_ask(f, lists, (enum as_fleet_list)which, err));
	return AS_OK;
}

void as_fleet_lists_release(struct as_fleet_lists *lists)
{
	if (!lists->arena.al)
		return;
	for (size_t i = 0; i < AS_FLEET_LISTS; i++)
		as_vec_free(lists->arena.al, &lists->list[i].text);
	as_arena_release(&lists->arena);
}
