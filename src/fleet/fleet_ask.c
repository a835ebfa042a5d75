/* SPDX-License-Identifier: Apache-2.0 */
/*
 * First the ledger: which pushes there are, and what they must add up to. Then, at the same time,
 * the sums, and what explains them. If these are not what the ledger says, somebody pushed, or
 * dropped, meanwhile: all is asked again.
 */
#include "fleet/fleet_ask_impl.h"

#include "fleet/fleet_cur.h"
#include "fleet/fleet_hash.h"

enum { TRIES = 5, SIGNALS_BYTES = 1 + 8 * 8 };
enum { LEDGER_BYTES = 2 + 2 + 4 + 4 + 8 * 10 + SIGNALS_BYTES };
static struct as_slice ask_slice(const struct as_fleet_answer *answer)
{
	return (struct as_slice){answer->bytes.p, answer->bytes.n};
}

static struct as_fleet_cur ask_cur(const struct as_fleet_answer *answer)
{
	return as_fleet_cur_of(ask_slice(answer));
}

/* The statement, which is empty then. */
static enum as_code ask_query(struct fleet_asking *a, struct as_fleet_answer *answer)
{
	enum as_code rc;

	as_ask_put(a, " FORMAT RowBinary");
	if (a->sql.failed)
		return as_err_no_memory(a->err);
	rc = as_fleet_query(a->f, as_sql_slice(&a->sql), answer, a->err);
	a->sql.text.n = 0;
	return rc;
}

/* The statement, which is empty then, is asked with others. */
static void ask_later(struct fleet_asking *a, struct as_fleet_answer *answer)
{
	struct fleet_later *later = &a->later[a->n_later++];

	as_assert(a->n_later <= AS_FLEET_AT_ONCE);
	as_ask_put(a, " FORMAT RowBinary");
	later->answer = answer;
	later->sql = a->sql;
	a->sql = (struct as_sql){.al = a->al};
}

static void ask_drop_later(struct fleet_asking *a)
{
	for (; a->n_later; a->n_later--)
		as_sql_release(&a->later[a->n_later - 1].sql);
}

static enum as_code ask_now(struct fleet_asking *a)
{
	struct as_fleet_question q[AS_FLEET_AT_ONCE];
	bool failed = false;
	enum as_code rc;

	for (size_t i = 0; i < a->n_later; i++) {
		q[i] = (struct as_fleet_question){
			as_sql_slice(&a->later[i].sql), a->later[i].answer};
		failed |= a->later[i].sql.failed;
	}
	rc = as_err_memory(a->err, !failed);
	AS_THEN(rc, as_fleet_query_all(a->f, q, a->n_later, a->err));
	ask_drop_later(a);
	return rc;
}

/* ---- the ledger ---- */

/* Sums of what the ledger has as NAME, in halves. */
static void ask_put_halves(struct fleet_asking *a, const char *name)
{
	as_ask_put(a, ", toUInt64(sum(bitShiftRight(");
	as_ask_put(a, name);
	as_ask_put(a, ", 32))), toUInt64(sum(bitAnd(");
	as_ask_put(a, name);
	as_ask_put(a, ", 4294967295)))");
}

static as_uval ask_take_halves(struct as_fleet_cur *c)
{
	as_uval high = as_fleet_number(c, sizeof(uint64_t));

	return (high << 32) + as_fleet_number(c, sizeof(uint64_t));
}

/* What as_ask_ledger() says besides for ask_put_signals(). They are of no id: each attempt of a
 * batch may have others. */
#define SIGNALS_OF_ALL                                                                     \
	", argMin(known, attempt) AS kn, argMin(samples, attempt) AS sa, argMin(signals, " \
	"attempt) AS si, argMin(squares, attempt) AS sq, argMin(unsignalled, attempt) AS un"

static void ask_put_signals(struct fleet_asking *a)
{
	as_ask_put(a, "min(kn)");
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
	struct as_fleet_cur c = ask_cur(answer);
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

	as_ask_put(a, "SELECT min(d), max(d), min(t), max(t), toUInt64(count()), toUInt64(sum(r)), "
		      "toUInt64(sum(lo)), min(b), max(e), max(n), "
		      "sum(bitShiftRight(v, 32)), toUInt64(sum(bitAnd(v, 4294967295)))");
	ask_put_halves(a, "m");
	as_ask_put(a, ", ");
	ask_put_signals(a);
	as_ask_put(a, " FROM ");
	as_ask_ledger(a,
		", any(day) AS d, any(t0) AS t, any(rows) AS r, argMin(lost, attempt) AS lo, "
		"any(begin) AS b, any(begin + nanos) AS e, any(nanos) AS n, any(total) AS v, "
		"any(mass) AS m" SIGNALS_OF_ALL);
	rc = ask_query(a, &answer);
	AS_THEN(rc, ask_read_ledger(a, &answer));
	as_vec_free(a->al, &answer.bytes);
	return rc;
}

/* ---- which samples ---- */

static enum as_code ask_read_services(struct fleet_asking *a, const struct as_fleet_answer *answer)
{
	struct as_fleet_cur c = ask_cur(answer);
	bool chosen = as_ask_has(a->ask, "service") || as_ask_has(a->ask, "event");
	struct as_slice first = {NULL, 0}, type, home, last = {NULL, 0};
	bool begins = true, is_new;

	a->services.text.n = a->homes.text.n = a->n_homes = 0;
	a->one_type = as_fleet_more(&c);
	as_sql_put(&a->services, chosen ? " AND svc IN (0" : "");
	as_sql_put(&a->homes, chosen ? " AND home IN (0" : "");
	while (as_fleet_more(&c)) {
		uint64_t svc = as_fleet_number(&c, sizeof(svc));

		type = as_fleet_string(&c);
		home = as_fleet_string(&c);
		first = begins ? type : first;
		a->one_type &= as_slice_eq(first, type);
		if (chosen) {
			as_sql_put(&a->services, ", ");
			as_sql_u64(&a->services, svc);
		}
		is_new = begins || !as_slice_eq(last, home);
		a->n_homes += is_new;
		if (chosen && is_new) {
			as_sql_put(&a->homes, ", ");
			as_sql_u64(&a->homes, as_fleet_hash_string(home));
		}
		last = home;
		begins = false;
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

	as_ask_put(a, "SELECT svc, type, service FROM ");
	as_ask_table(a, AS_PROF_SERIES);
	as_ask_put(a, " WHERE ");
	as_ask_days(a);
	as_ask_column(a, "service", "service");
	as_ask_column(a, "event", "type");
	as_ask_put(a, " GROUP BY svc, type, service ORDER BY service, type");
	rc = ask_query(a, &answer);
	AS_THEN(rc, ask_read_services(a, &answer));
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
	if (as_ask_has(a->ask, "host") || as_ask_has(a->ask, "event"))
		return AS_OK; /* the pushes are of more, or of less */
	as_ask_put(a, "SELECT toUInt64(count())");
	as_ask_range(a);
	rc = ask_query(a, &answer);
	c = ask_cur(&answer);
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
	as_ask_put(a, ask_halves(a) ? "sum(bitShiftRight(value, 32)), "
				      "toUInt64(sum(bitAnd(value, 4294967295)))"
				    : "sum(value)");
	as_ask_put(a, ", toUInt64(count())");
}

/* What all that LABEL leaves out is a part of, too. */
static void ask_whole(struct fleet_asking *a)
{
	a->whole.bytes.n = 0;
	if (!a->ask->n_labels)
		return;
	a->wide = true;
	as_ask_put(a, "SELECT series, ");
	ask_value(a);
	as_ask_samples(a);
	as_ask_put(a, " GROUP BY series");
	a->wide = false;
	ask_later(a, &a->whole);
}

static void ask_sums(struct fleet_asking *a)
{
	const char *series = a->ask->labels ? "series" : "svc";
	bool one = a->one_type && !a->ask->labels;
	struct as_fleet_cur c = ask_cur(&a->series);

	as_ask_put(a, "SELECT ");
	if (one) {
		as_ask_put(a, "toUInt64(");
		as_sql_u64(&a->sql, as_fleet_number(&c, sizeof(uint64_t)));
		as_ask_put(a, ")");
	} else {
		as_ask_put(a, series);
	}
	as_ask_put(a, ", stack, ");
	if (a->ask->each) {
		as_ask_put(a, "toUInt32(intDiv(ts, ");
		as_sql_u64(&a->sql, a->ask->each);
		as_ask_put(a, ") * ");
		as_sql_u64(&a->sql, a->ask->each);
		as_ask_put(a, ") AS t, ");
	}
	ask_value(a);
	as_ask_samples(a);
	as_ask_put(a, " GROUP BY stack");
	as_ask_put(a, one ? "" : a->ask->labels ? ", series" : ", svc");
	as_ask_put(a, a->ask->each ? ", t" : "");
	ask_later(a, &a->sums);
}

/* Before the sums, which are as of the first of them where all count the same. Of services only:
 * what series of one have in common; labels are not asked for. */
static enum as_code ask_for_series(struct fleet_asking *a)
{
	bool labels = a->ask->labels;

	as_ask_put(a, labels ? "SELECT series" : "SELECT DISTINCT svc");
	as_ask_put(a, ", svc, type, unit, period, period_unit, title, idx, col, depth, flags, "
		      "service, ");
	as_ask_put(a, labels ? "any(host) AS host, any(label_key), any(label_text), "
			       "any(label_number), any(label_unit)"
			     : "host, emptyArrayString(), emptyArrayString(), emptyArrayInt64(), "
			       "emptyArrayString()");
	as_ask_put(a, " FROM ");
	as_ask_table(a, AS_PROF_SERIES);
	as_ask_put(a, " WHERE ");
	as_ask_days(a);
	as_ask_put(a, " AND series GLOBAL IN (SELECT series");
	a->wide = true;
	as_ask_samples(a);
	a->wide = false;
	as_ask_put(a, " GROUP BY series)");
	if (labels)
		as_ask_put(a, " GROUP BY series, svc, type, unit, period, period_unit, title, idx, "
			      "col, depth, flags, service");
	return ask_query(a, &a->series);
}

/* Whether all samples of these services are asked for. */
static bool ask_is_all(const struct as_fleet_ask *ask)
{
	return ask->since == INT64_MIN && ask->until == INT64_MAX && !as_ask_has(ask, "host") &&
	       !as_ask_chooses_series(ask);
}

/* " FROM stacks WHERE" those of the samples. Where these are all, so are their stacks: to look for
 * each would take the server as long again, and what is there besides explains nothing. */
static void ask_from_stacks(struct fleet_asking *a)
{
	as_ask_put(a, " FROM ");
	as_ask_table(a, AS_PROF_STACKS);
	as_ask_put(a, " WHERE ");
	as_ask_days(a);
	as_sql_puts(&a->sql, as_sql_slice(&a->homes));
	if (ask_is_all(a->ask))
		return;
	as_ask_put(a, " AND stack GLOBAL IN (SELECT stack");
	as_ask_uncounted(a);
	as_ask_put(a, " GROUP BY stack)");
}

static void ask_stacks(struct fleet_asking *a)
{
	as_ask_put(a, "SELECT stack, frames");
	ask_from_stacks(a);
	as_ask_put(a, " LIMIT 1 BY stack");
	ask_later(a, &a->stacks);
}

static void ask_frames(struct fleet_asking *a)
{
	/* several services and days have the same, which goes over the line once */
	as_ask_put(
		a, a->n_homes > 1 || a->first_day != a->last_day ? "SELECT DISTINCT " : "SELECT ");
	as_ask_put(a, "frame, idx, func, system, start, file, entry, module, buildid, site, "
		      "line, col, addr, kind, ver FROM ");
	as_ask_table(a, AS_PROF_FRAMES);
	as_ask_put(a, " WHERE ");
	as_ask_days(a);
	as_sql_puts(&a->sql, as_sql_slice(&a->homes));
	if (!ask_is_all(a->ask)) {
		as_ask_put(a, " AND frame GLOBAL IN (SELECT arrayJoin(frames) AS frame");
		ask_from_stacks(a);
		as_ask_put(a, " GROUP BY frame)");
	}
	ask_later(a, &a->frames);
}

/* Where series are chosen some pushes have none of them, as those of another version. */
static void ask_signals(struct fleet_asking *a)
{
	if (!as_ask_chooses_series(a->ask))
		return;
	as_ask_put(a, "SELECT ");
	ask_put_signals(a);
	as_ask_put(a, " FROM ");
	as_ask_ledger(a, SIGNALS_OF_ALL);
	as_ask_put(a, " WHERE counts GLOBAL IN (SELECT attempt");
	a->wide = true;
	as_ask_uncounted(a);
	a->wide = false;
	as_ask_put(a, " GROUP BY attempt)");
	ask_later(a, &a->signalled);
}

static void ask_spans(struct fleet_asking *a)
{
	as_ask_put(a, "SELECT b, n FROM ");
	as_ask_ledger(a, ", any(begin) AS b, any(nanos) AS n");
	as_ask_put(a, " GROUP BY b, n");
	ask_later(a, &a->spans);
}

static void ask_what_explains(struct fleet_asking *a)
{
	ask_stacks(a);
	ask_frames(a);
	ask_spans(a);
	ask_signals(a);
}

static enum as_code ask_read_signals(struct fleet_asking *a, struct as_fleet_read *r)
{
	struct as_fleet_cur c = ask_cur(&a->signalled);

	if (as_ask_chooses_series(a->ask)) {
		if (a->signalled.bytes.n != SIGNALS_BYTES)
			return as_err_set(a->err, AS_E_FORMAT,
				"the store's answer is damaged: signals of %zu bytes",
				a->signalled.bytes.n);
		a->signals = ask_take_signals(&c);
	}
	as_fleet_read_signals(r, a->signals);
	return AS_OK;
}

static enum as_code ask_read_spans(struct fleet_asking *a, struct as_fleet_read *r)
{
	struct as_fleet_cur c = ask_cur(&a->spans);
	enum as_code rc = AS_OK;

	while (rc == AS_OK && as_fleet_more(&c)) {
		int64_t begin = (int64_t)as_fleet_number(&c, sizeof(begin));
		int64_t nanos = (int64_t)as_fleet_number(&c, sizeof(nanos));

		if (!c.cut)
			rc = as_fleet_read_span(r, begin, nanos);
	}
	return rc;
}

/* ---- the whole ---- */

/* Of ANSWER, whose values stand behind so many bytes. *COUNTED: how many samples these are. */
static as_val ask_sum(const struct fleet_asking *a, const struct as_fleet_answer *answer,
	size_t before, uint64_t *rows, uint64_t *counted)
{
	struct as_fleet_cur c = ask_cur(answer);
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
	ask_sums(a);
	ask_whole(a);
	ask_what_explains(a);
	AS_TRY(ask_now(a));
	sum = ask_sum(a, &a->sums, 2 * sizeof(uint64_t) + (a->ask->each ? sizeof(uint32_t) : 0),
		&a->found->sums, &counted);
	if (a->ask->n_labels)
		sum = ask_sum(a, &a->whole, sizeof(uint64_t), &rows, &counted);
	*same = sum == a->total || as_ask_chooses_series(a->ask) || a->ask->partial;
	if (!a->plain || !*same)
		return AS_OK;
	if (as_ask_chooses_series(a->ask))
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

/* What explains the sums, and these. */
static enum as_code ask_read_sums(struct fleet_asking *a, struct as_fleet_read *r)
{
	AS_TRY(ask_read_spans(a, r));
	AS_TRY(ask_read_signals(a, r));
	AS_TRY(as_fleet_read_series(r, ask_slice(&a->series)));
	AS_TRY(as_fleet_read_stacks(r, ask_slice(&a->stacks)));
	AS_TRY(as_fleet_read_frames(r, ask_slice(&a->frames)));
	if (a->ask->n_labels)
		AS_TRY(as_fleet_read_whole(r, ask_slice(&a->whole), ask_halves(a)));
	return as_fleet_read_sums(r, ask_slice(&a->sums), ask_halves(a));
}

/* What is pushed while all is asked at the same time may be in the sums, and what explains it not
 * in the other answers: these are asked for again. */
static enum as_code ask_read_all(
	struct fleet_asking *a, struct as_profile **out, struct as_losses *l)
{
	struct as_fleet_read_opts opts = {.labels = a->ask->labels,
		.times = a->ask->each != 0,
		.counted = true,
		.partial = a->ask->partial};
	struct as_fleet_read *r = NULL;
	enum as_code rc = AS_OK;
	bool whole = false;

	for (int i = 0; rc == AS_OK && i < 2 && !whole; i++) {
		as_fleet_read_free(r);
		r = NULL;
		if (i) {
			ask_what_explains(a);
			AS_TRY(ask_now(a));
		}
		AS_TRY(as_fleet_read_new(a->al, &opts, &r, a->err));
		rc = a->sums.bytes.n ? ask_read_sums(a, r) : AS_OK;
		whole = as_fleet_read_is_whole(r);
	}
	if (rc == AS_OK)
		return as_fleet_read_finish(r, out, &a->found->gaps, l);
	as_fleet_read_free(r);
	return rc;
}

static struct fleet_asking ask_begin(struct as_fleet *f, const struct as_fleet_ask *ask,
	struct as_fleet_found *found, struct as_err *err)
{
	struct fleet_asking a = {
		.f = f, .al = as_fleet_alloc(f), .ask = ask, .err = err, .found = found};

	*found = (struct as_fleet_found){0};
	a.sql.al = a.services.al = a.homes.al = a.al;
	return a;
}

static void ask_end(struct fleet_asking *a)
{
	ask_drop_later(a);
	as_vec_free(a->al, &a->series.bytes);
	as_vec_free(a->al, &a->whole.bytes);
	as_vec_free(a->al, &a->sums.bytes);
	as_vec_free(a->al, &a->stacks.bytes);
	as_vec_free(a->al, &a->frames.bytes);
	as_vec_free(a->al, &a->spans.bytes);
	as_vec_free(a->al, &a->signalled.bytes);
	as_sql_release(&a->services);
	as_sql_release(&a->homes);
	as_sql_release(&a->sql);
}

enum as_code as_fleet_ask(struct as_fleet *f, const struct as_fleet_ask *ask,
	struct as_profile **out, struct as_fleet_found *found, struct as_losses *l,
	struct as_err *err)
{
	struct fleet_asking a = ask_begin(f, ask, found, err);
	enum as_code rc;

	*out = NULL;
	rc = ask_until_same(&a);
	AS_THEN(rc, ask_read_all(&a, out, l));
	ask_end(&a);
	return rc;
}

enum as_code as_fleet_ask_hosts(struct as_fleet *f, const struct as_fleet_ask *ask,
	struct as_fleet_answer *hosts, struct as_err *err)
{
	struct as_fleet_found found;
	struct fleet_asking a = ask_begin(f, ask, &found, err);
	enum as_code rc = ask_for_ledger(&a);

	if (rc == AS_OK && found.batches)
		rc = ask_for_services(&a);
	if (rc == AS_OK && found.batches) {
		as_ask_put(&a, "SELECT host FROM ");
		as_ask_table(&a, AS_PROF_SERIES);
		as_ask_put(&a, " WHERE ");
		as_ask_days(&a);
		as_ask_put(&a, " AND series GLOBAL IN (SELECT series");
		as_ask_samples(&a);
		as_ask_put(&a, " GROUP BY series) GROUP BY host ORDER BY host");
		rc = ask_query(&a, hosts);
	}
	ask_end(&a);
	return rc;
}
