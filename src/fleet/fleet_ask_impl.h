/* SPDX-License-Identifier: Apache-2.0 */
/* What fleet_ask.c and its words share; private to src/fleet. */
#ifndef AS_FLEET_FLEET_ASK_IMPL_H
#define AS_FLEET_FLEET_ASK_IMPL_H

#include "fleet/fleet_ask.h"
#include "fleet/fleet_sql.h"

struct fleet_asking {
	struct as_fleet *f;
	const struct as_alloc *al;
	const struct as_fleet_ask *ask;
	struct as_err *err;
	struct as_sql sql;
	struct as_fleet_found *found;
	uint32_t first_day, last_day, t0, t1; /* of the pushes */
	as_val total;                         /* what they add up to */
	as_val mass;
	struct as_signals signals; /* of those that have samples in the answer */
	/* " AND svc IN (...)" and " AND home IN (...)": a server finds their samples, stacks and
	 * frames by its keys */
	struct as_sql services, homes;
	size_t n_homes;
	bool one_type; /* all of these count the same */
	bool plain;    /* all samples there are of pushes that count */
	bool wide;     /* ask->label leaves out nothing now */
	struct as_fleet_answer series, whole, sums, stacks, frames, spans, signalled;
	/* statements that go at the same time */
	struct fleet_later {
		struct as_sql sql;
		struct as_fleet_answer *answer;
	} later[AS_FLEET_AT_ONCE];
	size_t n_later;
};

static inline void as_ask_put(struct fleet_asking *a, const char *words)
{
	as_sql_put(&a->sql, words);
}

static inline void as_ask_table(struct fleet_asking *a, enum as_fleet_table table)
{
	as_ask_put(a, as_fleet_read(as_fleet_address_of(a->f), table));
}

/* ---- what is asked for ---- */
bool as_ask_has(const struct as_fleet_ask *ask, const char *key);
/* Whether by more than the pushes that samples are of. */
bool as_ask_chooses_series(const struct as_fleet_ask *ask);

/* ---- the same as words of the statement ---- */
/* " AND COLUMN IN (...)" if KEY is asked for. */
void as_ask_column(struct fleet_asking *a, const char *key, const char *column);
void as_ask_days(struct fleet_asking *a);
/* The pushes that count, each once: the attempt of each, as `counts`, and what BESIDES says. */
void as_ask_ledger(struct fleet_asking *a, const char *besides);
/* What holds for all samples of the time and the services that are asked for. */
void as_ask_range(struct fleet_asking *a);
/* What holds for the samples that are asked for, be they of pushes that count or not. */
void as_ask_uncounted(struct fleet_asking *a);
/* The same, of pushes that count. */
void as_ask_samples(struct fleet_asking *a);

#endif
