/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that need the whole profile: what the calls say of each other. */
#include "formats/callgrind/callgrind.h"

enum { CALLED = 1, HAS_COST = 2 };

/* Per function, of the first event. The callees of a profile are all over these. */
struct sums {
	as_val *in, *own; /* cost of the calls into it; its self cost and that of its calls */
	uint8_t *seen;
};

static void cg_check_add_rows(const struct as_profile *prof, const struct sums *f, as_val *v)
{
	struct as_rows_cur cur;

	for (size_t r = 0; r < prof->self.run.n; r++) {
		const struct as_run *run = &prof->self.run.p[r];

		f->own[run->func.i] += as_rows_first(&prof->self, run);
		f->seen[run->func.i] |= HAS_COST;
	}
	for (size_t r = 0; r < prof->call.run.n; r++) {
		const struct as_run *run = &prof->call.run.p[r];

		f->seen[run->func.i] |= HAS_COST;
		as_rows_begin(&cur, &prof->call, run, v);
		while (as_rows_next(&cur)) {
			uint32_t callee = (uint32_t)v[AS_CALL_FUNC];

			f->seen[callee] |= CALLED;
			if (callee == run->func.i)
				continue;
			f->in[callee] += v[AS_CALL_COST];
			f->own[run->func.i] += v[AS_CALL_COST];
		}
	}
}

static void look_at_func(
	struct as_rd *rd, const struct as_profile *prof, uint32_t i, const struct sums *f)
{
	struct as_slice name = as_func_name(prof, (as_func){i});
	as_val in = f->in[i], own = f->own[i];
	char a[AS_VAL_TEXT], b[AS_VAL_TEXT];

	if (f->seen[i] == CALLED)
		as_findings_add(rd->findings, AS_F_CG_CALLEE_UNDEFINED, AS_OFF_NONE, 0,
			"'%.*s' is called but has no cost of its own", AS_SLICE_FMT(name));
	else if (f->seen[i] & CALLED && in != own)
		as_findings_add(rd->findings, AS_F_CG_INCLUSIVE_UNBALANCED, AS_OFF_NONE, 0,
			"'%.*s': the calls into it cost %s, its self cost and calls %s",
			AS_SLICE_FMT(name), as_val_text(in, a), as_val_text(own, b));
	if (prof->total && in > prof->total[0] && prof->total[0] > 0)
		as_findings_add(rd->findings, AS_F_CG_INCLUSIVE_OVER_TOTAL, AS_OFF_NONE, 0,
			"'%.*s': the calls into it cost %s of %s in all", AS_SLICE_FMT(name),
			as_val_text(in, a), as_val_text(prof->total[0], b));
}

void as_cg_check(struct as_rd *rd, const struct as_profile *prof)
{
	size_t n = prof->func.name.n, size = n * (2 * sizeof(as_val) + 1);
	size_t width = prof->call.width * sizeof(as_val) + 1;
	struct sums f;
	as_val *v;

	if (!as_n_events(prof))
		return;
	if (!prof->self.n && !prof->call.n)
		as_findings_add(
			rd->findings, AS_F_NO_SAMPLES, AS_OFF_NONE, 0, "there are no cost lines");
	if (!prof->call.n)
		return;
	f.in = as_alloc_new(prof->al, size);
	v = as_alloc_new(prof->al, width);
	if (f.in && v) {
		f.own = f.in + n;
		f.seen = (uint8_t *)(f.own + n);
		cg_check_add_rows(prof, &f, v);
		for (uint32_t i = 0; i < n; i++)
			look_at_func(rd, prof, i, &f);
	}
	as_alloc_free(prof->al, f.in, size);
	as_alloc_free(prof->al, v, width);
}
