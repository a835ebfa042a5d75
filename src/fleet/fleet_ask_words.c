/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked for, as conditions of a statement. */
#include "fleet/fleet_ask_impl.h"

#define SECOND INT64_C(1000000000)
enum { DAY = 86400 };

static bool ask_is_column(struct as_slice key)
{
	return as_slice_is(key, "service") || as_slice_is(key, "host") || as_slice_is(key, "event");
}

/* Whether a term before I has its key. */
static bool ask_is_again(const struct as_fleet_ask *ask, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (as_slice_eq(ask->term[k].key, ask->term[i].key))
			return true;
	return false;
}

static void ask_values(struct fleet_asking *a, struct as_slice key)
{
	const char *before = "(";

	for (size_t i = 0; i < a->ask->n_terms; i++)
		if (as_slice_eq(a->ask->term[i].key, key)) {
			as_ask_put(a, before);
			as_sql_quote(&a->sql, a->ask->term[i].value);
			before = ", ";
		}
	as_ask_put(a, ")");
}

void as_ask_column(struct fleet_asking *a, const char *key, const char *column)
{
	for (size_t i = 0; i < a->ask->n_terms; i++)
		if (as_slice_is(a->ask->term[i].key, key)) {
			as_ask_put(a, " AND ");
			as_ask_put(a, column);
			as_ask_put(a, " IN ");
			ask_values(a, a->ask->term[i].key);
			return;
		}
}

/* A label is its text, or its number in digits. */
static void ask_labels(struct fleet_asking *a)
{
	for (size_t i = 0; i < a->ask->n_terms; i++) {
		struct as_slice key = a->ask->term[i].key;

		if (ask_is_column(key) || ask_is_again(a->ask, i))
			continue;
		as_ask_put(a, " AND arrayExists((k, t, n) -> k = ");
		as_sql_quote(&a->sql, key);
		as_ask_put(a, " AND if(t = '', toString(n), t) IN ");
		ask_values(a, key);
		as_ask_put(a, ", label_key, label_text, label_number)");
	}
}

/* What a sample of LABEL may say, as text, as a number, or as one with its unit; service and host
 * are labels, too. */
static void ask_one_label(struct fleet_asking *a, const struct as_fleet_term *label)
{
	if (as_slice_is(label->key, "service") || as_slice_is(label->key, "host")) {
		as_sql_puts(&a->sql, label->key);
		as_ask_put(a, label->value.p ? " = " : " != ''");
		if (label->value.p)
			as_sql_quote(&a->sql, label->value);
		as_ask_put(a, " OR ");
	}
	as_ask_put(a, "arrayExists((k, t, n, u) -> k = ");
	as_sql_quote(&a->sql, label->key);
	if (label->value.p) {
		as_ask_put(a, " AND (if(t = '', toString(n), t) = ");
		as_sql_quote(&a->sql, label->value);
		as_ask_put(a, " OR concat(toString(n), u) = ");
		as_sql_quote(&a->sql, label->value);
		as_ask_put(a, ")");
	}
	as_ask_put(a, ", label_key, label_text, label_number, label_unit)");
}

static bool ask_narrows(const struct fleet_asking *a)
{
	return a->ask->n_labels && !a->wide;
}

static void ask_any_label(struct fleet_asking *a)
{
	for (size_t i = 0; i < a->ask->n_labels && ask_narrows(a); i++) {
		as_ask_put(a, i ? " OR " : " AND (");
		ask_one_label(a, &a->ask->label[i]);
	}
	as_ask_put(a, ask_narrows(a) ? ")" : "");
}

bool as_ask_chooses_series(const struct as_fleet_ask *ask)
{
	for (size_t i = 0; i < ask->n_terms; i++)
		if (!as_slice_is(ask->term[i].key, "service") &&
			!as_slice_is(ask->term[i].key, "host"))
			return true;
	return false;
}

bool as_ask_has(const struct as_fleet_ask *ask, const char *key)
{
	for (size_t i = 0; i < ask->n_terms; i++)
		if (as_slice_is(ask->term[i].key, key))
			return true;
	return false;
}

void as_ask_days(struct fleet_asking *a)
{
	as_ask_put(a, "day >= ");
	as_sql_day(&a->sql, a->first_day);
	as_ask_put(a, " AND day <= ");
	as_sql_day(&a->sql, a->last_day);
}

/* NS in whole seconds; 0 where it is no bound. */
static int64_t ask_second(int64_t ns)
{
	return ns < 0 ? 0 : ns / SECOND;
}

void as_ask_ledger(struct fleet_asking *a, const char *besides)
{
	int64_t since = ask_second(a->ask->since), until = a->ask->until;

	as_ask_put(a, "(SELECT batch, min(attempt) AS counts");
	as_ask_put(a, besides);
	as_ask_put(a, " FROM ");
	as_ask_table(a, AS_PROF_BATCHES);
	as_ask_put(a, " WHERE t1 >= ");
	as_sql_u64(&a->sql, (uint64_t)since);
	if (until != INT64_MAX) {
		as_ask_put(a, " AND t0 < ");
		as_sql_u64(&a->sql, (uint64_t)ask_second(until) + (until % SECOND > 0));
		as_ask_put(a, " AND day <= ");
		as_sql_day(&a->sql, (uint32_t)(ask_second(until) / DAY));
	}
	as_ask_column(a, "service", "service");
	as_ask_column(a, "host", "host");
	as_ask_put(a, " GROUP BY batch)");
}

void as_ask_range(struct fleet_asking *a)
{
	as_ask_put(a, " FROM ");
	as_ask_table(a, AS_PROF_SAMPLES);
	as_ask_put(a, " WHERE ");
	as_ask_days(a);
	as_ask_put(a, " AND ts >= ");
	as_sql_u64(&a->sql, a->t0);
	as_ask_put(a, " AND ts <= ");
	as_sql_u64(&a->sql, a->t1);
	as_sql_puts(&a->sql, as_sql_slice(&a->services));
}

void as_ask_uncounted(struct fleet_asking *a)
{
	as_ask_range(a);
	if (as_ask_chooses_series(a->ask) || ask_narrows(a)) {
		as_ask_put(a, " AND series GLOBAL IN (SELECT series FROM ");
		as_ask_table(a, AS_PROF_SERIES);
		as_ask_put(a, " WHERE ");
		as_ask_days(a);
		as_ask_column(a, "service", "service");
		as_ask_column(a, "host", "host");
		as_ask_column(a, "event", "type");
		ask_labels(a);
		ask_any_label(a);
		as_ask_put(a, " GROUP BY series)");
	}
}

void as_ask_samples(struct fleet_asking *a)
{
	as_ask_uncounted(a);
	if (a->plain)
		return;
	as_ask_put(a, " AND attempt GLOBAL IN (SELECT counts FROM ");
	as_ask_ledger(a, "");
	as_ask_put(a, ")");
}
