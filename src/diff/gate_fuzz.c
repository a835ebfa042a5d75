/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the expression of a gate: it is refused with a place in it, or judged, and then the
 * same way twice; what names no function of NEW, or no event, never passes.
 */
#include "change/kit/fuzz_profile.h"
#include "diff/gate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct as_diff *compared(void)
{
	static const char *const who[AS_SIDES] = {"fg", "fh"};
	struct as_diff_opts opts = {.by = AS_BY_FUNC, .n_runs = 2};
	struct as_diff *d;

	must(as_diff_begin(&d, &as_alloc_libc, &opts, NULL) == AS_OK);
	for (unsigned side = 0; side < AS_SIDES; side++) {
		struct as_profile *prof = fuzz_profile(who[side], 1000 + (as_val)side);

		must(as_diff_add(d, (enum as_side)side, prof, as_slice_of("x"), NULL) == AS_OK);
		as_profile_free(prof);
	}
	must(as_diff_scale(d, AS_NORM_AUTO, 0, NULL) == AS_OK);
	must(as_diff_sort(d, 0, false, NULL) == AS_OK);
	return d;
}

static void check(const struct as_gate_result *r)
{
	must(r->n > 0);
	must(r->verdict != AS_GATE_NOISE); /* exact counts have none */
	for (size_t i = 0; i < r->n; i++) {
		const struct as_gate_check *c = &r->check[i];
		const struct as_gate_node *n = c->node;

		must(n->decimals <= AS_GATE_DIGITS && n->text.len <= r->gate->text.len);
		must(n->event.len && (n->figure == AS_GATE_TOTAL || n->name.len));
		if (c->is_missing || c->verdict == AS_GATE_INCOMPARABLE)
			must(r->verdict == AS_GATE_TRIP || r->verdict == AS_GATE_INCOMPARABLE);
		if (c->verdict == AS_GATE_PASS)
			must(c->fig.known && c->ev);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice text = {(const char *)data, size};
	struct as_expression_names names;
	struct as_gate_result one, two;
	struct as_metric metric;
	struct as_diff *d;
	struct as_gate g;
	struct as_err err;

	as_err_clear(&err);
	if (as_gate_parse(&g, &as_alloc_libc, text, &err) != AS_OK) {
		must(err.code == AS_E_ARG && err.msg[0] && err.off <= size);
		as_gate_free(&g);
		return 0;
	}
	d = compared();
	names = as_gate_names(d);
	must(as_expression_parse(&names, d->al, as_slice_of("rate=100 Dr / Ir"), &metric, NULL) ==
		AS_OK);
	g.metric = &metric;
	g.n_metrics = 1;
	must(as_gate_eval(&g, d, &one) == AS_OK && as_gate_eval(&g, d, &two) == AS_OK);
	check(&one);
	must(one.verdict == two.verdict && one.n == two.n);
	as_metric_release(&metric);
	as_diff_free(d);
	as_gate_free(&g);
	return 0;
}
