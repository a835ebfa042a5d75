/* SPDX-License-Identifier: Apache-2.0 */
/* assay diff --fail-if. */
#include <stdio.h>

#include "base/utf8_len.h"
#include "cli/diff/diff_cmd.h"
#include "session/near.h"

/* The expression, and below it an arrow to what is wrong. */
static enum as_exit diff_gate_malformed(
	struct as_cli *cli, const char *text, const struct as_err *err)
{
	char what[sizeof(err->msg) + 64], before[512];
	size_t off = err->off == AS_OFF_NONE ? 0 : (size_t)err->off;

	if (err->code == AS_E_NOMEM)
		return as_say_no_memory(&cli->ses);
	snprintf(what, sizeof(what), "--fail-if, at byte %zu: %s", off + 1, err->msg);
	as_say_error(&cli->ses, what, text);
	as_escape(before, sizeof(before), text, off);
	fprintf(stderr, "       %*s^\n", (int)as_utf8_columns(as_slice_of(before)), "");
	return AS_EXIT_USAGE;
}

enum as_exit as_diff_parse_gates(struct as_diff_job *j)
{
	const struct as_list *list = &j->args->fail_if;
	struct as_err err;

	if (!list->n) {
		if (j->args->format <= AS_DIFF_MARKDOWN && !j->args->metrics.n &&
			!j->args->on_noise)
			return AS_EXIT_OK;
		return as_say_usage(&j->cli->ses,
			j->args->metrics.n  ? "--metric is for the conditions of a gate"
			: j->args->on_noise ? "--on-noise is for the conditions of a gate"
					    : "this format is that of a gate",
			"add --fail-if EXPR");
	}
	j->gate = as_alloc_new(j->cli->ses.al, list->n * sizeof(*j->gate));
	j->result = as_alloc_new(j->cli->ses.al, list->n * sizeof(*j->result));
	AS_DO(as_say_memory(&j->cli->ses, j->gate && j->result));
	for (size_t i = 0; i < list->n; i++)
		as_arena_init(&j->gate[i].arena, j->cli->ses.al);
	for (size_t i = 0; i < list->n; i++) {
		as_err_clear(&err);
		if (as_gate_parse(&j->gate[i], j->cli->ses.al, as_slice_of(list->p[i]), &err) !=
			AS_OK)
			return diff_gate_malformed(j->cli, list->p[i], &err);
	}
	return AS_EXIT_OK;
}

/* A name that no profile has: which of theirs may be meant. False if out of memory. */
static bool add_near(struct as_diff_job *j, struct as_gate *g, struct as_gate_check *c)
{
	const struct as_diff *d = j->c.d;
	bool event = c->unknown == AS_GATE_NO_EVENT;
	struct as_near near;
	char text[1024];

	as_near_begin(&near, j->cli->ses.al, event ? c->node->event : c->node->name);
	near.whole = true;
	for (uint32_t e = 0; event && e < d->n_events; e++)
		as_near_try(&near, as_diff_str(d, d->event[e].name));
	for (uint32_t r = 0; !event && r < d->key.n; r++)
		as_near_try_function(&near, as_diff_str(d, d->key.p[r].name));
	as_near_text(&near, "; did you mean ", text, sizeof(text));
	as_near_end(&near);
	c->why = as_arena_printf(&g->arena, "%.*s%s", AS_SLICE_FMT(c->why), text);
	return c->why.p;
}

/* The metrics that conditions may name: of the events that there are. */
static enum as_exit parse_metrics(struct as_diff_job *j)
{
	const struct as_list *list = &j->args->metrics;
	struct as_expression_names names = as_gate_names(j->c.d);
	const struct as_alloc *al = j->cli->ses.al;
	struct as_err err;

	j->metric = as_alloc_new(al, list->n * sizeof(*j->metric) + 1);
	AS_DO(as_say_memory(&j->cli->ses, j->metric));
	for (size_t i = 0; i < list->n; i++)
		j->metric[i] = (struct as_metric){0};
	for (size_t i = 0; i < list->n; i++) {
		as_err_clear(&err);
		if (as_expression_parse(&names, al, as_slice_of(list->p[i]), &j->metric[i], &err) ==
			AS_OK)
			continue;
		if (err.code == AS_E_NOMEM)
			return as_say_no_memory(&j->cli->ses);
		return as_say_usage(&j->cli->ses, err.msg, "an expression of events: 100 D1mr/Dr");
	}
	return AS_EXIT_OK;
}

enum as_exit as_diff_eval_gates(struct as_diff_job *j)
{
	enum as_exit rc = j->args->metrics.n ? parse_metrics(j) : AS_EXIT_OK;

	AS_DO(rc);
	for (size_t i = 0; i < j->args->fail_if.n; i++) {
		struct as_gate_result *r = &j->result[i];

		j->gate[i].metric = j->metric;
		j->gate[i].n_metrics = j->args->metrics.n;
		AS_DO(as_say_code(&j->cli->ses, as_gate_eval(&j->gate[i], j->c.d, r), NULL));
		for (size_t k = 0; k < r->n; k++)
			if (r->check[k].unknown && !add_near(j, &j->gate[i], &r->check[k]))
				return as_say_no_memory(&j->cli->ses);
	}
	return AS_EXIT_OK;
}

static void cannot_judge(struct as_diff_job *j, const struct as_gate_result *r)
{
	struct as_slice why = as_slice_of("");
	char what[1400];

	for (size_t k = r->n; k-- > 0;)
		if (r->check[k].verdict == AS_GATE_INCOMPARABLE)
			why = r->check[k].why;
	snprintf(what, sizeof(what), "a condition cannot be judged: %.*s", AS_SLICE_FMT(why));
	as_say_error(&j->cli->ses, what, r->gate->text.p);
}

enum as_exit as_diff_verdict(struct as_diff_job *j)
{
	bool trips = false, fails = false;

	for (size_t i = 0; i < j->args->fail_if.n; i++) {
		const char *text = j->args->fail_if.p[i];

		switch (j->result[i].verdict) {
		case AS_GATE_PASS:
			break;
		case AS_GATE_NOISE:
			as_say_warning(&j->cli->ses, "'%s': the limit is within the noise: %s",
				text,
				j->args->on_noise == 2 ? "trips" : "passes, but is not proven");
			trips |= j->args->on_noise == 2;
			break;
		case AS_GATE_TRIP:
			trips = true;
			break;
		case AS_GATE_INCOMPARABLE:
			cannot_judge(j, &j->result[i]);
			fails = true;
			break;
		}
	}
	return fails ? AS_EXIT_INPUT : trips ? AS_EXIT_NO : AS_EXIT_OK;
}

void as_diff_release_gates(struct as_diff_job *j)
{
	size_t n = j->args->fail_if.n, m = j->args->metrics.n;

	for (size_t i = 0; j->gate && i < n; i++)
		as_gate_free(&j->gate[i]);
	for (size_t i = 0; j->metric && i < m; i++)
		as_metric_release(&j->metric[i]);
	as_alloc_free(j->cli->ses.al, j->metric, j->metric ? m * sizeof(*j->metric) + 1 : 0);
	as_alloc_free(j->cli->ses.al, j->gate, j->gate ? n * sizeof(*j->gate) : 0);
	as_alloc_free(j->cli->ses.al, j->result, j->result ? n * sizeof(*j->result) : 0);
}
