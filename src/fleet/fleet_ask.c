/* SPDX-License-Identifier: Apache-2.0 */
/*
 * First the ledger: which pushes there are, and what they must add up to. Then the sums, and what
 * explains them. If these are not what the ledger says, somebody pushed, or dropped, meanwhile: all
 * is asked again.
 */
#include "fleet/fleet_ask.h"

#include "fleet/fleet_cur.h"
#include "fleet/fleet_hash.h"
#include "fleet/fleet_sql.h"

#define SECOND INT64_C(1000000000)
enum { DAY = 86400, TRIES = 5, SIGNALS_BYTES = 1 + 8 * 8 };
enum { LEDGER_BYTES = 2 + 2 + 4 + 4 + 8 * 10 + SIGNALS_BYTES };

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
	struct as_fleet_answer series, whole, sums, stacks, frames;
};

static void ask_put(struct fleet_asking *a, const char *words)
{
	as_sql_put(&a->sql, words);
}

static void ask_table(struct fleet_asking *a, enum as_fleet_table table)
{
	ask_put(a, as_fleet_read(as_fleet_address_of(a->f), table));
}

/* The statement, which is empty then. */
static enum as_code ask_query(struct fleet_asking *a, struct as_fleet_answer *answer)
{
	enum as_code rc;

	ask_put(a, " FORMAT RowBinary");
	if (a->sql.failed)
		return as_err_no_memory(a->err);
	rc = as_fleet_query(a->f, as_sql_slice(&a->sql), answer, a->err);
	a->sql.text.n = 0;
	return rc;
}

/* ---- conditions ---- */

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
			ask_put(a, before);
			as_sql_quote(&a->sql, a->ask->term[i].value);
			before = ", ";
		}
	ask_put(a, ")");
}

/* " AND COLUMN IN (...)" if KEY is asked for. */
static void ask_column(struct fleet_asking *a, const char *key, const char *column)
{
	for (size_t i = 0; i < a->ask->n_terms; i++)
		if (as_slice_is(a->ask->term[i].key, key)) {
			ask_put(a, " AND ");
			ask_put(a, column);
			ask_put(a, " IN ");
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
		ask_put(a, " AND arrayExists((k, t, n) -> k = ");
		as_sql_quote(&a->sql, key);
		ask_put(a, " AND if(t = '', toString(n), t) IN ");
		ask_values(a, key);
		ask_put(a, ", label_key, label_text, label_number)");
	}
}

/* What a sample of LABEL may say, as text, as a number, or as one with its unit; service and host
 * are labels, too. */
static void ask_one_label(struct fleet_asking *a, const struct as_fleet_term *label)
{
	if (as_slice_is(label->key, "service") || as_slice_is(label->key, "host")) {
		as_sql_puts(&a->sql, label->key);
		ask_put(a, label->value.p ? " = " : " != ''");
		if (label->value.p)
			as_sql_quote(&a->sql, label->value);
		ask_put(a, " OR ");
	}
	ask_put(a, "arrayExists((k, t, n, u) -> k = ");
	as_sql_quote(&a->sql, label->key);
	if (label->value.p) {
		ask_put(a, " AND (if(t = '', toString(n), t) = ");
		as_sql_quote(&a->sql, label->value);
		ask_put(a, " OR concat(toString(n), u) = ");
		as_sql_quote(&a->sql, label->value);
		ask_put(a, ")");
	}
	ask_put(a, ", label_key, label_text, label_number, label_unit)");
}

static bool ask_narrows(const struct fleet_asking *a)
{
	return a->ask->n_labels && !a->wide;
}

static void ask_any_label(struct fleet_asking *a)
{
	for (size_t i = 0; i < a->ask->n_labels && ask_narrows(a); i++) {
		ask_put(a, i ? " OR " : " AND (");
		ask_one_label(a, &a->ask->label[i]);
	}
	ask_put(a, ask_narrows(a) ? ")" : "");
}

static bool ask_chooses_series(const struct as_fleet_ask *ask)
{
	for (size_t i = 0; i < ask->n_terms; i++)
		if (!as_slice_is(ask->term[i].key, "service") &&
			!as_slice_is(ask->term[i].key, "host"))
			return true;
	return false;
}

static bool ask_has(const struct as_fleet_ask *ask, const char *key)
{
	for (size_t i = 0; i < ask->n_terms; i++)
		if (as_slice_is(ask->term[i].key, key))
			return true;
	return false;
}

static void ask_days(struct fleet_asking *a)
{
	ask_put(a, "day >= ");
	as_sql_day(&a->sql, a->first_day);
	ask_put(a, " AND day <= ");
	as_sql_day(&a->sql, a->last_day);
}

/* NS in whole seconds; ALL where it is no bound. */
static int64_t ask_second(int64_t ns)
{
	return ns < 0 ? 0 : ns / SECOND;
}

/* The pushes that count, each once: the attempt, and what BESIDES says of it. */
static void ask_ledger(struct fleet_asking *a, const char *besides)
{
	int64_t since = ask_second(a->ask->since), until = a->ask->until;

	ask_put(a, "(SELECT batch, min(attempt) AS attempt");
	ask_put(a, besides);
	ask_put(a, " FROM ");
	ask_table(a, AS_PROF_BATCHES);
	ask_put(a, " WHERE t1 >= ");
	as_sql_u64(&a->sql, (uint64_t)since);
	if (until != INT64_MAX) {
		ask_put(a, " AND t0 < ");
		as_sql_u64(&a->sql, (uint64_t)ask_second(until) + (until % SECOND > 0));
		ask_put(a, " AND day <= ");
		as_sql_day(&a->sql, (uint32_t)(ask_second(until) / DAY));
	}
	ask_column(a, "service", "service");
	ask_column(a, "host", "host");
	ask_put(a, " GROUP BY batch)");
}

/* What holds for all samples of the time and the services that are asked for. */
static void ask_range(struct fleet_asking *a)
{
	ask_put(a, " FROM ");
	ask_table(a, AS_PROF_SAMPLES);
	ask_put(a, " WHERE ");
	ask_days(a);
	ask_put(a, " AND ts >= ");
	as_sql_u64(&a->sql, a->t0);
	ask_put(a, " AND ts <= ");
	as_sql_u64(&a->sql, a->t1);
	as_sql_puts(&a->sql, as_sql_slice(&a->services));
}

/* What holds for the samples that are asked for, be they of pushes that count or not. */
static void ask_uncounted(struct fleet_asking *a)
{
	ask_range(a);
	if (ask_chooses_series(a->ask) || ask_narrows(a)) {
		ask_put(a, " AND series GLOBAL IN (SELECT series FROM ");
		ask_table(a, AS_PROF_SERIES);
		ask_put(a, " WHERE ");
		ask_days(a);
		ask_column(a, "service", "service");
		ask_column(a, "host", "host");
		ask_column(a, "event", "type");
		ask_labels(a);
		ask_any_label(a);
		ask_put(a, " GROUP BY series)");
	}
}

static void ask_samples(struct fleet_asking *a)
{
	ask_uncounted(a);
	if (a->plain)
		return;
	ask_put(a, " AND attempt GLOBAL IN (SELECT attempt FROM ");
	ask_ledger(a, "");
	ask_put(a, ")");
}

/* ---- the ledger ---- */

/* Sums of what the ledger has as NAME, in halves. */
static void ask_put_halves(struct fleet_asking *a, const char *name)
{
	ask_put(a, ", toUInt64(sum(bitShiftRight(");
	ask_put(a, name);
	ask_put(a, ", 32))), toUInt64(sum(bitAnd(");
	ask_put(a, name);
	ask_put(a, ", 4294967295)))");
}

static as_uval ask_take_halves(struct as_fleet_cur *c)
{
	as_uval high = as_fleet_number(c, sizeof(uint64_t));

	return (high << 32) + as_fleet_number(c, sizeof(uint64_t));
}

/* What ask_ledger() says besides for ask_put_signals(). */
#define SIGNALS_OF_ALL                                                                     \
	", any(known) AS kn, any(samples) AS sa, any(signals) AS si, any(squares) AS sq, " \
	"any(unsignalled) AS un"

static void ask_put_signals(struct fleet_asking *a)
{
	ask_put(a, "min(kn)");
	ask_put_halves(a, "sa");
	ask_put_halves(a, "si");
	ask_put_halves(a, "sq");
	ask_put_halves(a, "un");
}

static struct as_signals ask_take_signals(struct as_fleet_cur *c)
{
	struct as_signals s = {.known = as_fleet_number(c, 1) != 0};

	s.samples = ask_take_halves(c);
	s.signals = ask_take_halves(c);
	s.squares = ask_take_halves(c);
	s.unsignalled = ask_take_halves(c);
	return s;
}

static enum as_code ask_read_ledger(struct fleet_asking *a, const struct as_fleet_answer *answer)
{
	struct as_fleet_cur c =
		as_fleet_cur_of((struct as_slice){answer->bytes.p, answer->bytes.n});
	struct as_fleet_found *found = a->found;

	if (answer->bytes.n != LEDGER_BYTES)
		return as_err_set(a->err, AS_E_FORMAT,
			"the store's answer is damaged: a ledger of %zu bytes", answer->bytes.n);
	a->first_day = (uint32_t)as_fleet_number(&c, sizeof(uint16_t));
	a->last_day = (uint32_t)as_fleet_number(&c, sizeof(uint16_t));
	a->t0 = (uint32_t)as_fleet_number(&c, sizeof(uint32_t));
	a->t1 = (uint32_t)as_fleet_number(&c, sizeof(uint32_t));
	found->batches = as_fleet_number(&c, sizeof(uint64_t));
	found->rows = as_fleet_number(&c, sizeof(uint64_t));
	found->lost = as_fleet_number(&c, sizeof(uint64_t));
	found->begin = (int64_t)as_fleet_number(&c, sizeof(int64_t));
	found->end = (int64_t)as_fleet_number(&c, sizeof(int64_t));
	found->longest = (int64_t)as_fleet_number(&c, sizeof(int64_t));
	a->total = (int64_t)as_fleet_number(&c, sizeof(int64_t)) * ((as_val)1 << 32);
	a->total += (as_val)as_fleet_number(&c, sizeof(uint64_t));
	a->mass = (as_val)ask_take_halves(&c);
	a->signals = ask_take_signals(&c);
	return AS_OK;
}

static enum as_code ask_for_ledger(struct fleet_asking *a)
{
	struct as_fleet_answer answer = {0};
	enum as_code rc;

	ask_put(a, "SELECT min(d), max(d), min(t), max(t), toUInt64(count()), toUInt64(sum(r)), "
		   "toUInt64(sum(lo)), min(b), max(e), max(n), "
		   "sum(bitShiftRight(v, 32)), toUInt64(sum(bitAnd(v, 4294967295)))");
	ask_put_halves(a, "m");
	ask_put(a, ", ");
	ask_put_signals(a);
	ask_put(a, " FROM ");
	ask_ledger(a, ", any(day) AS d, any(t0) AS t, any(rows) AS r, any(lost) AS lo, "
		      "any(begin) AS b, any(begin + nanos) AS e, any(nanos) AS n, any(total) AS v, "
		      "any(mass) AS m" SIGNALS_OF_ALL);
	rc = ask_query(a, &answer);
	if (rc == AS_OK)
		rc = ask_read_ledger(a, &answer);
	as_vec_free(a->al, &answer.bytes);
	return rc;
}

static struct as_slice ask_slice(const struct as_fleet_answer *answer)
{
	return (struct as_slice){answer->bytes.p, answer->bytes.n};
}

/* ---- which samples ---- */

static enum as_code ask_read_services(struct fleet_asking *a, const struct as_fleet_answer *answer)
{
	struct as_fleet_cur c =
		as_fleet_cur_of((struct as_slice){answer->bytes.p, answer->bytes.n});
	bool chosen = ask_has(a->ask, "service") || ask_has(a->ask, "event");
	struct as_slice first = {NULL, 0}, type, home, last = {NULL, 0};

	a->services.text.n = a->homes.text.n = a->n_homes = 0;
	a->one_type = as_fleet_more(&c);
	as_sql_put(&a->services, chosen ? " AND svc IN (0" : "");
	as_sql_put(&a->homes, chosen ? " AND home IN (0" : "");
	while (as_fleet_more(&c)) {
		uint64_t svc = as_fleet_number(&c, sizeof(svc));

		type = as_fleet_string(&c);
		home = as_fleet_string(&c);
		first = first.p ? first : type;
		a->one_type &= as_slice_eq(first, type);
		if (chosen) {
			as_sql_put(&a->services, ", ");
			as_sql_u64(&a->services, svc);
		}
		a->n_homes += !last.p || !as_slice_eq(last, home);
		if (chosen && (!last.p || !as_slice_eq(last, home))) {
			as_sql_put(&a->homes, ", ");
			as_sql_u64(&a->homes, as_fleet_hash_string(home));
		}
		last = home;
	}
	as_sql_put(&a->services, chosen ? ")" : "");
	as_sql_put(&a->homes, chosen ? ")" : "");
	return c.cut ? as_err_set(a->err, AS_E_FORMAT, "the store's answer is damaged: services")
		     : as_err_memory(a->err, !a->services.failed && !a->homes.failed);
}

static enum as_code ask_for_services(struct fleet_asking *a)
{
	struct as_fleet_answer answer = {0};
	enum as_code rc;

	ask_put(a, "SELECT svc, type, service FROM ");
	ask_table(a, AS_PROF_SERIES);
	ask_put(a, " WHERE ");
	ask_days(a);
	ask_column(a, "service", "service");
	ask_column(a, "event", "type");
	ask_put(a, " GROUP BY svc, type, service ORDER BY service, type");
	rc = ask_query(a, &answer);
	if (rc == AS_OK)
		rc = ask_read_services(a, &answer);
	as_vec_free(a->al, &answer.bytes);
	return rc;
}

/* *SAME: there are as many samples as those of all pushes that count, which are there: then there
 * are no others. It costs a server less than looking at the attempt of each. */
static enum as_code ask_for_count(struct fleet_asking *a, bool *same)
{
	struct as_fleet_answer answer = {0};
	struct as_fleet_cur c;
	enum as_code rc;

	*same = false;
	if (ask_has(a->ask, "host") || ask_has(a->ask, "event"))
		return AS_OK; /* the pushes are of more, or of less */
	ask_put(a, "SELECT toUInt64(count())");
	ask_range(a);
	rc = ask_query(a, &answer);
	c = as_fleet_cur_of((struct as_slice){answer.bytes.p, answer.bytes.n});
	*same = rc == AS_OK && as_fleet_number(&c, sizeof(uint64_t)) == a->found->rows && !c.cut;
	as_vec_free(a->al, &answer.bytes);
	return rc;
}

/* ---- sums, and what explains them ---- */

/* Sums that could overflow are asked for in halves. */
static bool ask_halves(const struct fleet_asking *a)
{
	return a->mass > INT64_MAX / 2;
}

static void ask_value(struct fleet_asking *a)
{
	ask_put(a, ask_halves(a) ? "sum(bitShiftRight(value, 32)), "
				   "toUInt64(sum(bitAnd(value, 4294967295)))"
				 : "sum(value)");
	ask_put(a, ", toUInt64(count())");
}

/* What all that LABEL leaves out is a part of, too. */
static enum as_code ask_for_whole(struct fleet_asking *a)
{
	a->whole.bytes.n = 0;
	if (!a->ask->n_labels)
		return AS_OK;
	a->wide = true;
	ask_put(a, "SELECT series, ");
	ask_value(a);
	ask_samples(a);
	ask_put(a, " GROUP BY series");
	a->wide = false;
	return ask_query(a, &a->whole);
}

static enum as_code ask_for_sums(struct fleet_asking *a)
{
	const char *series = a->ask->labels ? "series" : "svc";
	bool one = a->one_type && !a->ask->labels;
	struct as_fleet_cur c = as_fleet_cur_of(ask_slice(&a->series));

	ask_put(a, "SELECT ");
	if (one) {
		ask_put(a, "toUInt64(");
		as_sql_u64(&a->sql, as_fleet_number(&c, sizeof(uint64_t)));
		ask_put(a, ")");
	} else {
		ask_put(a, series);
	}
	ask_put(a, ", stack, ");
	if (a->ask->each) {
		ask_put(a, "toUInt32(intDiv(ts, ");
		as_sql_u64(&a->sql, a->ask->each);
		ask_put(a, ") * ");
		as_sql_u64(&a->sql, a->ask->each);
		ask_put(a, ") AS t, ");
	}
	ask_value(a);
	ask_samples(a);
	ask_put(a, " GROUP BY stack");
	ask_put(a, one ? "" : a->ask->labels ? ", series" : ", svc");
	ask_put(a, a->ask->each ? ", t" : "");
	return ask_query(a, &a->sums);
}

/* Before the sums, which are as of the first of them where all count the same. Of services only:
 * what series of one have in common; labels are not asked for. */
static enum as_code ask_for_series(struct fleet_asking *a)
{
	bool labels = a->ask->labels;

	ask_put(a, labels ? "SELECT series" : "SELECT DISTINCT svc");
	ask_put(a, ", svc, type, unit, period, period_unit, title, idx, col, depth, flags, "
		   "service, ");
	ask_put(a, labels ? "any(host) AS host, any(label_key), any(label_text), "
			    "any(label_number), any(label_unit)"
			  : "host, emptyArrayString(), emptyArrayString(), emptyArrayInt64(), "
			    "emptyArrayString()");
	ask_put(a, " FROM ");
	ask_table(a, AS_PROF_SERIES);
	ask_put(a, " WHERE ");
	ask_days(a);
	ask_put(a, " AND series GLOBAL IN (SELECT series");
	a->wide = true;
	ask_samples(a);
	a->wide = false;
	ask_put(a, " GROUP BY series)");
	if (labels)
		ask_put(a, " GROUP BY series, svc, type, unit, period, period_unit, title, idx, "
			   "col, depth, flags, service");
	return ask_query(a, &a->series);
}

/* Whether all samples of these services are asked for. */
static bool ask_is_all(const struct as_fleet_ask *ask)
{
	return ask->since == INT64_MIN && ask->until == INT64_MAX && !ask_has(ask, "host") &&
	       !ask_chooses_series(ask);
}

/* " FROM stacks WHERE" those of the samples. Where these are all, so are their stacks: to look for
 * each would take the server as long again, and what is there besides explains nothing. */
static void ask_from_stacks(struct fleet_asking *a)
{
	ask_put(a, " FROM ");
	ask_table(a, AS_PROF_STACKS);
	ask_put(a, " WHERE ");
	ask_days(a);
	as_sql_puts(&a->sql, as_sql_slice(&a->homes));
	if (ask_is_all(a->ask))
		return;
	ask_put(a, " AND stack GLOBAL IN (SELECT stack");
	ask_uncounted(a);
	ask_put(a, " GROUP BY stack)");
}

static enum as_code ask_for_stacks(struct fleet_asking *a)
{
	ask_put(a, "SELECT stack, frames");
	ask_from_stacks(a);
	ask_put(a, " LIMIT 1 BY stack");
	return ask_query(a, &a->stacks);
}

static enum as_code ask_for_frames(struct fleet_asking *a)
{
	/* several services and days have the same, which goes over the line once */
	ask_put(a, a->n_homes > 1 || a->first_day != a->last_day ? "SELECT DISTINCT " : "SELECT ");
	ask_put(a, "frame, idx, func, system, start, file, entry, module, buildid, site, "
		   "line, col, addr, kind, ver FROM ");
	ask_table(a, AS_PROF_FRAMES);
	ask_put(a, " WHERE ");
	ask_days(a);
	as_sql_puts(&a->sql, as_sql_slice(&a->homes));
	if (!ask_is_all(a->ask)) {
		ask_put(a, " AND frame GLOBAL IN (SELECT arrayJoin(frames) AS frame");
		ask_from_stacks(a);
		ask_put(a, " GROUP BY frame)");
	}
	return ask_query(a, &a->frames);
}

/* Where series are chosen some pushes have none of them, as those of another version. */
static enum as_code ask_for_signals(struct fleet_asking *a)
{
	struct as_fleet_answer answer = {0};
	struct as_fleet_cur c;
	enum as_code rc;

	if (!ask_chooses_series(a->ask))
		return AS_OK;
	ask_put(a, "SELECT ");
	ask_put_signals(a);
	ask_put(a, " FROM ");
	ask_ledger(a, SIGNALS_OF_ALL);
	ask_put(a, " WHERE attempt GLOBAL IN (SELECT attempt");
	a->wide = true;
	ask_uncounted(a);
	a->wide = false;
	ask_put(a, " GROUP BY attempt)");
	rc = ask_query(a, &answer);
	if (rc == AS_OK && answer.bytes.n != SIGNALS_BYTES)
		rc = as_err_set(a->err, AS_E_FORMAT,
			"the store's answer is damaged: signals of %zu bytes", answer.bytes.n);
	c = as_fleet_cur_of(ask_slice(&answer));
	if (rc == AS_OK)
		a->signals = ask_take_signals(&c);
	as_vec_free(a->al, &answer.bytes);
	return rc;
}

static enum as_code ask_for_spans(struct fleet_asking *a, struct as_fleet_read *r)
{
	struct as_fleet_answer answer = {0};
	struct as_fleet_cur c;
	enum as_code rc;

	ask_put(a, "SELECT b, n FROM ");
	ask_ledger(a, ", any(begin) AS b, any(nanos) AS n");
	ask_put(a, " GROUP BY b, n");
	rc = ask_query(a, &answer);
	c = as_fleet_cur_of((struct as_slice){answer.bytes.p, answer.bytes.n});
	while (rc == AS_OK && as_fleet_more(&c)) {
		int64_t begin = (int64_t)as_fleet_number(&c, sizeof(begin));
		int64_t nanos = (int64_t)as_fleet_number(&c, sizeof(nanos));

		if (!c.cut)
			rc = as_fleet_read_span(r, begin, nanos);
	}
	as_vec_free(a->al, &answer.bytes);
	return rc;
}

/* ---- the whole ---- */

/* Of ANSWER, whose values stand behind so many bytes. *COUNTED: how many samples these are. */
static as_val ask_sum(const struct fleet_asking *a, const struct as_fleet_answer *answer,
	size_t before, uint64_t *rows, uint64_t *counted)
{
	struct as_fleet_cur c = as_fleet_cur_of(ask_slice(answer));
	as_val sum = 0;

	*counted = 0;
	for (*rows = 0; as_fleet_more(&c); ++*rows) {
		(void)as_fleet_take(&c, before);
		if (ask_halves(a))
			sum += (int64_t)as_fleet_number(&c, sizeof(int64_t)) * ((as_val)1 << 32) +
			       (as_val)as_fleet_number(&c, sizeof(uint64_t));
		else
			sum += (int64_t)as_fleet_number(&c, sizeof(int64_t));
		*counted += as_fleet_number(&c, sizeof(uint64_t));
	}
	return sum;
}

/* *SAME: the sums are what the ledger says. Where series are chosen it does not say it. */
static enum as_code ask_once(struct fleet_asking *a, bool *same)
{
	uint64_t rows, counted;
	as_val sum;

	*same = true;
	AS_TRY(ask_for_ledger(a));
	a->sums.bytes.n = a->series.bytes.n = 0;
	if (!a->found->batches)
		return AS_OK;
	AS_TRY(ask_for_services(a));
	AS_TRY(ask_for_count(a, &a->plain));
	AS_TRY(ask_for_series(a));
	if (!a->series.bytes.n)
		return AS_OK;
	AS_TRY(ask_for_sums(a));
	AS_TRY(ask_for_whole(a));
	sum = ask_sum(a, &a->sums, 2 * sizeof(uint64_t) + (a->ask->each ? sizeof(uint32_t) : 0),
		&a->found->sums, &counted);
	if (a->ask->n_labels)
		sum = ask_sum(a, &a->whole, sizeof(uint64_t), &rows, &counted);
	*same = sum == a->total || ask_chooses_series(a->ask) || a->ask->partial;
	if (!a->plain || !*same)
		return AS_OK;
	if (ask_chooses_series(a->ask))
		return ask_for_count(a, same);
	*same = counted == a->found->rows;
	return AS_OK;
}

static enum as_code ask_until_same(struct fleet_asking *a)
{
	bool same = false;

	for (int i = 0; i < TRIES && !same; i++)
		AS_TRY(ask_once(a, &same));
	return same ? AS_OK
		    : as_err_set(a->err, AS_E_FORMAT,
			      "the store's samples do not add up to what was pushed: assay store "
			      "verify says where");
}

static enum as_code ask_read_all(struct fleet_asking *a, struct as_fleet_read *r,
	struct as_profile **out, struct as_losses *l)
{
	enum as_code rc = AS_OK;

	if (a->sums.bytes.n) {
		rc = ask_for_stacks(a);
		if (rc == AS_OK)
			rc = ask_for_frames(a);
		if (rc == AS_OK)
			rc = ask_for_spans(a, r);
		if (rc == AS_OK)
			rc = ask_for_signals(a);
		as_fleet_read_signals(r, a->signals);
		if (rc == AS_OK)
			rc = as_fleet_read_series(r, ask_slice(&a->series));
		if (rc == AS_OK)
			rc = as_fleet_read_stacks(r, ask_slice(&a->stacks));
		if (rc == AS_OK)
			rc = as_fleet_read_frames(r, ask_slice(&a->frames));
		if (rc == AS_OK && a->ask->n_labels)
			rc = as_fleet_read_whole(r, ask_slice(&a->whole), ask_halves(a));
		if (rc == AS_OK)
			rc = as_fleet_read_sums(r, ask_slice(&a->sums), ask_halves(a));
	}
	if (rc == AS_OK)
		return as_fleet_read_finish(r, out, &a->found->gaps, l);
	as_fleet_read_free(r);
	return rc;
}

enum as_code as_fleet_ask(struct as_fleet *f, const struct as_fleet_ask *ask,
	struct as_profile **out, struct as_fleet_found *found, struct as_losses *l,
	struct as_err *err)
{
	struct fleet_asking a = {
		.f = f, .al = as_fleet_alloc(f), .ask = ask, .err = err, .found = found};
	struct as_fleet_read_opts opts = {.labels = ask->labels,
		.times = ask->each != 0,
		.counted = true,
		.partial = ask->partial};
	struct as_fleet_read *r;
	enum as_code rc;

	*out = NULL;
	*found = (struct as_fleet_found){0};
	a.sql.al = a.services.al = a.homes.al = a.al;
	rc = ask_until_same(&a);
	if (rc == AS_OK)
		rc = as_fleet_read_new(a.al, &opts, &r, err);
	if (rc == AS_OK)
		rc = ask_read_all(&a, r, out, l);
	as_vec_free(a.al, &a.series.bytes);
	as_vec_free(a.al, &a.whole.bytes);
	as_vec_free(a.al, &a.sums.bytes);
	as_vec_free(a.al, &a.stacks.bytes);
	as_vec_free(a.al, &a.frames.bytes);
	as_sql_release(&a.services);
	as_sql_release(&a.homes);
	as_sql_release(&a.sql);
	return rc;
}

enum as_code as_fleet_ask_hosts(struct as_fleet *f, const struct as_fleet_ask *ask,
	struct as_fleet_answer *hosts, struct as_err *err)
{
	struct as_fleet_found found;
	struct fleet_asking a = {
		.f = f, .al = as_fleet_alloc(f), .ask = ask, .err = err, .found = &found};
	enum as_code rc;

	a.sql.al = a.services.al = a.homes.al = a.al;
	rc = ask_for_ledger(&a);
	if (rc == AS_OK && found.batches)
		rc = ask_for_services(&a);
	if (rc == AS_OK && found.batches) {
		ask_put(&a, "SELECT host FROM ");
		ask_table(&a, AS_PROF_SERIES);
		ask_put(&a, " WHERE ");
		ask_days(&a);
		ask_put(&a, " AND series GLOBAL IN (SELECT series");
		ask_samples(&a);
		ask_put(&a, " GROUP BY series) GROUP BY host ORDER BY host");
		rc = ask_query(&a, hosts);
	}
	as_sql_release(&a.services);
	as_sql_release(&a.homes);
	as_sql_release(&a.sql);
	return rc;
}
