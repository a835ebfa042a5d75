/* SPDX-License-Identifier: Apache-2.0 */
/* What a segment says of itself, in the lines of formats/run_lines.h. */
#define _POSIX_C_SOURCE 200809L
#include "base/date.h"
#include "change/kit/change.h"
#include "store/store_impl.h"

enum { N_FACTS = 7, N_OF = 4, KEY_MAX = 96 };

#define OF " of " /* between a key and the name of an event */

struct facts_row {
	const char *key;
	size_t at;
};

static const struct facts_row facts_rows[N_FACTS] = {
	{"assay: samples counted", offsetof(struct as_store_facts, counted)},
	{"assay: samples stored", offsetof(struct as_store_facts, stored)},
	{"assay: samples unknown", offsetof(struct as_store_facts, unknown)},
	{"assay: samples lost", offsetof(struct as_store_facts, lost)},
	{"assay: times throttled", offsetof(struct as_store_facts, throttled)},
	{"assay: nanoseconds stolen", offsetof(struct as_store_facts, stolen_ns)},
	{"assay: nanoseconds unwatched", offsetof(struct as_store_facts, unwatched_ns)},
};

static const struct facts_row facts_rows_of[N_OF] = {
	{"assay: samples counted", offsetof(struct as_store_facts_of, counted)},
	{"assay: samples stored", offsetof(struct as_store_facts_of, stored)},
	{"assay: samples unknown", offsetof(struct as_store_facts_of, unknown)},
	{"assay: samples lost", offsetof(struct as_store_facts_of, lost)},
};

static uint64_t *fact_at(void *facts, const struct facts_row *row)
{
	return (uint64_t *)(void *)((char *)facts + row->at);
}

static uint64_t fact_get(const void *facts, const struct facts_row *row)
{
	return *(const uint64_t *)(const void *)((const char *)facts + row->at);
}

static void facts_add(void *to, const void *from, const struct facts_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t v = fact_get(from, &rows[i]), *sum = fact_at(to, &rows[i]);

		*sum = v > UINT64_MAX - *sum ? UINT64_MAX : *sum + v;
	}
}

/* Those of EVENT; NULL: there is no room for it. */
static struct as_store_facts_of *facts_of(struct as_store_facts *facts, struct as_slice event)
{
	struct as_store_facts_of *of;

	for (uint32_t i = 0; i < facts->n_of; i++)
		if (as_slice_is(event, facts->of[i].event))
			return &facts->of[i];
	if (facts->n_of == AS_STORE_EVENTS_MAX || !event.len || event.len >= AS_STORE_EVENT_NAME)
		return NULL;
	of = &facts->of[facts->n_of++];
	*of = (struct as_store_facts_of){.counted = 0};
	memcpy(of->event, event.p, event.len);
	return of;
}

void as_store_facts_add(struct as_store_facts *to, const struct as_store_facts *from)
{
	facts_add(to, from, facts_rows, N_FACTS);
	for (uint32_t i = 0; i < from->n_of; i++) {
		struct as_store_facts_of *of = facts_of(to, as_slice_of(from->of[i].event));

		if (of)
			facts_add(of, &from->of[i], facts_rows_of, N_OF);
	}
}

static const char *facts_key(
	char key[KEY_MAX], const struct facts_row *row, const struct as_store_facts_of *of)
{
	snprintf(key, KEY_MAX, "%s" OF "%s", row->key, of->event);
	return key;
}

void as_store_facts_print(struct as_out *out, const struct as_store_facts *facts)
{
	char key[KEY_MAX];

	for (size_t i = 0; i < N_FACTS; i++)
		as_out_printf(out, "%s: %" PRIu64 "\n", facts_rows[i].key,
			fact_get(facts, &facts_rows[i]));
	for (uint32_t k = 0; k < facts->n_of; k++)
		for (size_t i = 0; i < N_OF; i++)
			as_out_printf(out, "%s: %" PRIu64 "\n",
				facts_key(key, &facts_rows_of[i], &facts->of[k]),
				fact_get(&facts->of[k], &facts_rows_of[i]));
}

/* "KEY: N", or "KEY of EVENT: N". */
static void facts_parse_line(struct as_slice line, struct as_store_facts *facts)
{
	size_t colon = as_slice_up_to_last(line, ':');
	struct as_slice key = {line.p, colon ? colon - 1 : 0}, event;
	struct as_store_facts_of *of;
	size_t at = as_slice_find_text(key, OF);
	uint64_t v;

	if (!as_slice_dec(as_slice_ltrim(as_slice_skip(line, colon)), &v))
		return;
	for (size_t i = 0; i < N_FACTS; i++)
		if (as_slice_is(key, facts_rows[i].key))
			*fact_at(facts, &facts_rows[i]) = v;
	event = at < key.len ? as_slice_skip(key, at + strlen(OF)) : (struct as_slice){NULL, 0};
	key.len = at;
	for (size_t i = 0; i < N_OF && event.len; i++)
		if (as_slice_is(key, facts_rows_of[i].key) && (of = facts_of(facts, event)))
			*fact_at(of, &facts_rows_of[i]) = v;
}

void as_store_facts_parse(struct as_slice text, struct as_store_facts *facts)
{
	struct as_slice line;

	while (as_slice_cut(&text, '\n', &line))
		facts_parse_line(line, facts);
}

/* ---- into a profile ---- */

struct facts_job {
	const struct as_store_span *span;
	const struct as_store_facts *facts;
};

static enum as_code facts_put(struct as_change *c, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, v);
	return as_build_meta_of(&c->b, 0, as_slice_of(key), as_slice_of(text), AS_META_OF_SUM);
}

static enum as_code facts_put_all(struct as_change *c, const struct as_store_facts *facts)
{
	char key[KEY_MAX];

	for (size_t i = 0; i < N_FACTS; i++)
		AS_TRY(facts_put(c, facts_rows[i].key, fact_get(facts, &facts_rows[i])));
	for (uint32_t k = 0; k < facts->n_of; k++)
		for (size_t i = 0; i < N_OF; i++)
			AS_TRY(facts_put(c, facts_key(key, &facts_rows_of[i], &facts->of[k]),
				fact_get(&facts->of[k], &facts_rows_of[i])));
	return AS_OK;
}

/* A part says it; where nothing ran there is none yet. */
static enum as_code facts_copy(struct as_change *c, void *ctx)
{
	const struct facts_job *job = ctx;
	char text[AS_DATE_NANOS];
	uint32_t part;

	if (!c->b.prof->epoch.i)
		AS_TRY(as_build_str(&c->b,
			as_slice_of(as_date_nanos_text(job->span->begin, "T", "Z", text)),
			&c->b.prof->epoch));
	if (!c->b.prof->duration)
		c->b.prof->duration = job->span->end - job->span->begin;
	AS_TRY(facts_put_all(c, job->facts));
	AS_TRY(as_change_facts(c, NULL));
	return c->b.prof->part.n ? AS_OK : as_build_part(&c->b, &part);
}

/* Whose a sample is becomes its labels. */
static enum as_code facts_label(
	const struct as_profile *prof, struct as_profile **out, struct as_err *err)
{
	struct as_merge_opts opts = {.label_parts = true};
	struct as_merge *m;
	enum as_code rc;

	AS_TRY(as_merge_new(prof->al, &opts, &m, err));
	rc = as_merge_add(m, prof, NULL);
	if (rc == AS_OK)
		return as_merge_finish(m, out);
	as_merge_free(m);
	return rc;
}

enum as_code as_store_facts_tell(const struct as_profile *prof, const struct as_store_span *span,
	const struct as_store_facts *facts, struct as_profile **out, struct as_err *err)
{
	struct facts_job job = {span, facts};

	return as_change_run(prof, NULL, facts_copy, &job, out, err);
}

enum as_code as_store_facts_into(const struct as_profile *prof, const struct as_store_span *span,
	const struct as_store_facts *facts, struct as_profile **out, struct as_err *err)
{
	struct as_profile *labelled;
	enum as_code rc;

	AS_TRY(facts_label(prof, &labelled, err));
	rc = as_store_facts_tell(labelled, span, facts, out, err);
	as_profile_free(labelled);
	return rc;
}
