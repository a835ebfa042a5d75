/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that need the whole profile: what the calls say of each other. */
#include "formats/callgrind/callgrind.h"

struct sums {
	as_val self, in, out; /* of the first event */
	bool called, has_cost;
};

static void add_rows(const struct as_profile *prof, struct sums *f, as_val *v)
{
	struct as_rows_cur cur;

	for (size_t r = 0; r < prof->self.run.n; r++) {
		const struct as_run *run = &prof->self.run.p[r];

		as_rows_begin(&cur, &prof->self, run, v);
		while (as_rows_next(&cur))
			f[run->func.i].self += v[0];
		f[run->func.i].has_cost = true;
	}
	for (size_t r = 0; r < prof->call.run.n; r++) {
		const struct as_run *run = &prof->call.run.p[r];

		f[run->func.i].has_cost = true;
		as_rows_begin(&cur, &prof->call, run, v);
		while (as_rows_next(&cur)) {
			uint32_t callee = (uint32_t)v[AS_CALL_FUNC];

			f[callee].called = true;
			if (callee == run->func.i)
				continue;
			f[callee].in += v[AS_CALL_COST];
			f[run->func.i].out += v[AS_CALL_COST];
		}
	}
}

static void look_at_func(
	struct as_rd *rd, const struct as_profile *prof, uint32_t i, const struct sums *f)
{
	struct as_slice name = as_func_name(prof, (as_func){i});
	char a[AS_VAL_TEXT], b[AS_VAL_TEXT];

	if (f->called && !f->has_cost)
		as_findings_add(rd->findings, AS_F_CG_CALLEE_UNDEFINED, AS_OFF_NONE, 0,
			"'%.*s' is called but has no cost of its own", AS_SLICE_FMT(name));
	else if (f->called && f->in != f->self + f->out)
		as_findings_add(rd->findings, AS_F_CG_INCLUSIVE_UNBALANCED, AS_OFF_NONE, 0,
			"'%.*s': the calls into it cost %s, its self cost and calls %s",
			AS_SLICE_FMT(name), as_val_text(f->in, a),
			as_val_text(f->self + f->out, b));
	if (prof->total && f->in > prof->total[0] && prof->total[0] > 0)
		as_findings_add(rd->findings, AS_F_CG_INCLUSIVE_OVER_TOTAL, AS_OFF_NONE, 0,
			"'%.*s': the calls into it cost %s of %s in all", AS_SLICE_FMT(name),
			as_val_text(f->in, a), as_val_text(prof->total[0], b));
}

void as_cg_check(struct as_rd *rd, const struct as_profile *prof)
{
	size_t n = prof->func.name.n;
	struct sums *f;
	as_val *v;

	if (!as_n_events(prof))
		return;
	if (!prof->self.n && !prof->call.n)
		as_findings_add(
			rd->findings, AS_F_NO_SAMPLES, AS_OFF_NONE, 0, "there are no cost lines");
	f = as_alloc_new(prof->al, n * sizeof(*f));
	v = as_alloc_new(prof->al, prof->call.width * sizeof(*v) + 1);
	if (f && v && prof->call.n) {
		add_rows(prof, f, v);
		for (uint32_t i = 0; i < n; i++)
			look_at_func(rd, prof, i, &f[i]);
	}
	as_alloc_free(prof->al, f, n * sizeof(*f));
	as_alloc_free(prof->al, v, prof->call.width * sizeof(*v) + 1);
}
