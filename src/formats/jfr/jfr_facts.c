/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that are no cost. Recordings have much that is nobody's business:
 * environment, system properties, the command lines of all processes,
 * arguments. None of that is looked at.
 */
#include "formats/jfr/jfr.h"
#include "formats/run_lines.h"

/* What says how an event was recorded. */
static const char *const settings[] = {"period", "threshold", "throttle", "cutoff", "event",
	"engine", "interval", "wall", "alloc", "lock"};

enum as_code as_jfr_keep_fact(struct as_jfr_chunk *c, uint32_t plan, struct as_jfr_cur body)
{
	return as_err_memory(c->r->rd->err,
		as_vec_push(c->al, &c->fact, body) && as_vec_push(c->al, &c->fact_plan, plan));
}

static enum as_code jfr_facts_setting(struct as_jfr_chunk *c, uint32_t class, struct as_jfr_cur cur)
{
	struct as_jfr_got got[] = {{.word = JFR_W_ID}, {.word = JFR_W_NAME, .is_text = true},
		{.word = JFR_W_VALUE, .is_text = true}};
	struct as_build *b = c->r->rd->out;
	struct as_jfr_setting set;
	uint32_t type;

	AS_TRY(as_jfr_gather(c, class, cur, got, AS_ARRAY_LEN(got)));
	type = as_jfr_class_row(c, got[0].number);
	if (type == UINT32_MAX || !got[2].text.len || as_slice_is(got[2].text, "0") ||
		!as_slice_is_one_of(got[1].text, settings))
		return AS_OK;
	AS_TRY(as_build_str(b, c->class.p[type].name, &set.type));
	AS_TRY(as_build_str(b, got[1].text, &set.name));
	AS_TRY(as_build_str(b, got[2].text, &set.value));
	for (size_t i = 0; i < c->r->setting.n; i++) {
		struct as_jfr_setting *old = &c->r->setting.p[i];

		if (old->type.i == set.type.i && old->name.i == set.name.i) {
			old->value = set.value;
			return AS_OK;
		}
	}
	return as_err_memory(c->r->rd->err, as_vec_push(c->r->al, &c->r->setting, set));
}

/* Of the command line the first word alone: the class, or the archive, that
 * runs. */
static enum as_code jfr_facts_jvm(struct as_jfr_chunk *c, uint32_t class, struct as_jfr_cur cur)
{
	struct as_jfr_got got[] = {{.word = JFR_W_PID}, {.word = JFR_W_ARGUMENTS, .is_text = true}};
	struct as_slice word;

	AS_TRY(as_jfr_gather(c, class, cur, got, AS_ARRAY_LEN(got)));
	if (got[0].number && !c->r->has_pid) {
		c->r->has_pid = true;
		c->r->pid = got[0].number;
	}
	if (c->r->command.i || !as_slice_word(&got[1].text, &word))
		return AS_OK;
	return as_build_str(c->r->rd->out, word, &c->r->command);
}

static enum as_code jfr_facts_lost(
	struct as_jfr_chunk *c, uint32_t class, struct as_jfr_cur cur, enum as_jfr_word word)
{
	struct as_jfr_got got = {.word = word};

	AS_TRY(as_jfr_gather(c, class, cur, &got, 1));
	if (!c->r->lost_bytes && !c->r->lost_samples)
		c->r->lost_off = as_jfr_off(c, cur.p);
	*(word == JFR_W_AMOUNT ? &c->r->lost_bytes : &c->r->lost_samples) += got.number;
	return AS_OK;
}

static enum as_code jfr_facts_put(struct as_jfr_chunk *c, size_t i)
{
	const struct as_jfr_plan *plan = &c->plan.p[c->fact_plan.p[i]];
	struct as_jfr_cur cur = c->fact.p[i];

	as_assert(i < c->fact_plan.n);
	switch (plan->fact) {
	case JFR_FACT_SETTING:
		return jfr_facts_setting(c, plan->class, cur);
	case JFR_FACT_JVM:
		return jfr_facts_jvm(c, plan->class, cur);
	case JFR_FACT_LOST_BYTES:
		return jfr_facts_lost(c, plan->class, cur, JFR_W_AMOUNT);
	case JFR_FACT_LOST_SAMPLES:
		return jfr_facts_lost(c, plan->class, cur, JFR_W_LOST);
	case JFR_FACT_MARKER:
		return as_jfr_put_marker(c, plan, cur);
	case JFR_FACT_NONE:
		break;
	}
	return AS_OK;
}

enum as_code as_jfr_put_facts(struct as_jfr_chunk *c)
{
	for (size_t i = 0; i < c->fact.n; i++) {
		enum as_code rc = jfr_facts_put(c, i);

		if (rc == AS_E_FORMAT)
			rc = as_rd_find(c->r->rd, AS_F_JFR_EVENT_DAMAGED,
				as_jfr_off(c, c->fact.p[i].p), 0,
				"an event of %.*s is shorter than its fields",
				AS_SLICE_FMT(c->class.p[c->plan.p[c->fact_plan.p[i]].class].name));
		AS_TRY(rc);
	}
	return AS_OK;
}

/* ---- of all chunks ---- */

static enum as_code jfr_facts_tell_lost(struct as_jfr_read *r)
{
	char number[AS_VAL_TEXT];

	if (r->lost_bytes) {
		AS_TRY(as_rd_find(r->rd, AS_F_JFR_DATA_LOSS, r->lost_off, 0,
			"the recorder lost %s bytes of events",
			as_val_text(r->lost_bytes, number)));
		AS_TRY(as_build_meta_of(r->rd->out, r->part, as_slice_of("lost bytes"),
			as_slice_of(number), AS_META_OF_SUM));
	}
	if (r->lost_samples) {
		AS_TRY(as_rd_find(r->rd, AS_F_JFR_DATA_LOSS, r->lost_off, 0,
			"the recorder lost %s samples of CPU time",
			as_val_text(r->lost_samples, number)));
		AS_TRY(as_build_meta_of(r->rd->out, r->part, as_slice_of("lost samples"),
			as_slice_of(number), AS_META_OF_SUM));
	}
	return AS_OK;
}

/* Of types that have cost, and of the recording. */
static bool jfr_facts_is_told(const struct as_jfr_read *r, struct as_slice type)
{
	for (size_t i = 0; i < r->kind.n; i++)
		if (as_slice_eq(r->kind.p[i].name, type))
			return r->kind.p[i].event != UINT32_MAX;
	return as_slice_ends(type, ".ActiveRecording");
}

static enum as_code jfr_facts_tell_settings(struct as_jfr_read *r)
{
	const struct as_profile *prof = r->rd->out->prof;

	for (size_t i = 0; i < r->setting.n; i++) {
		const struct as_jfr_setting *s = &r->setting.p[i];
		struct as_slice type = as_str_get(prof, s->type), key;

		if (!jfr_facts_is_told(r, type))
			continue;
		key = as_arena_printf(&r->arena, "%.*s#%.*s", AS_SLICE_FMT(type),
			AS_SLICE_FMT(as_str_get(prof, s->name)));
		AS_TRY(as_err_memory(r->rd->err, key.p));
		AS_TRY(as_build_meta_of(
			r->rd->out, r->part, key, as_str_get(prof, s->value), AS_META_OF_RUN));
	}
	return AS_OK;
}

enum as_code as_jfr_tell_facts(struct as_jfr_read *r)
{
	struct as_build *b = r->rd->out;

	if (r->command.i)
		AS_TRY(as_run_put_recorded(b, as_str_get(b->prof, r->command)));
	AS_TRY(jfr_facts_tell_settings(r));
	if (r->n_truncated)
		AS_TRY(as_rd_find(r->rd, AS_F_JFR_TRUNCATED, r->truncated_off, 0,
			"%" PRIu64 " stack%s deeper than the recorder keeps "
			"begin%s with " AS_JFR_TRUNCATED,
			r->n_truncated, r->n_truncated == 1 ? "" : "s",
			r->n_truncated == 1 ? "s" : ""));
	return jfr_facts_tell_lost(r);
}
