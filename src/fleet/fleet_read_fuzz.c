/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hostile server: any bytes as answers. What is read adds up to what the sums say, and, pushed
 * and read again, to the same. The first byte has bits for the options, then come the lengths of
 * series, stacks and frames, two bytes each, and these; the rest are sums.
 */
#include "fleet/fleet_cur.h"
#include "fleet/fleet_read.h"
#include "fleet/fleet_rows.h"
#include "lib/fuzz_must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct answers {
	struct as_slice series, whole, stacks, frames, sums;
	bool labels, halves, times;
};

static struct answers answers_of(const uint8_t *data, size_t size)
{
	struct as_fleet_cur c = as_fleet_cur_of((struct as_slice){(const char *)data, size});
	unsigned bits = (unsigned)as_fleet_number(&c, 1);
	struct answers a = {.labels = bits & 1, .halves = bits & 2, .times = bits & 4};
	struct as_slice *part[] = {&a.series, &a.stacks, &a.frames, &a.whole};
	size_t left, n = AS_ARRAY_LEN(part) - !(bits & 8);

	for (size_t i = 0; i < n; i++)
		part[i]->len = as_fleet_number(&c, 2);
	for (size_t i = 0; i < n; i++) {
		left = (size_t)(c.end - c.p);
		part[i]->len = part[i]->len < left ? part[i]->len : left;
		part[i]->p = (const char *)as_fleet_take(&c, part[i]->len);
	}
	a.sums = (struct as_slice){(const char *)c.p, (size_t)(c.end - c.p)};
	return a;
}

/* Of values that stand behind so many bytes. */
static as_val sum_of(const struct answers *a, struct as_slice sums, size_t before)
{
	struct as_fleet_cur c = as_fleet_cur_of(sums);
	as_val sum = 0;

	while (as_fleet_more(&c)) {
		as_val v;

		(void)as_fleet_take(&c, before);
		v = (int64_t)as_fleet_number(&c, 8);
		sum += a->halves ? v * ((as_val)1 << 32) + (as_val)as_fleet_number(&c, 8) : v;
	}
	return sum;
}

static as_val total_of(const struct as_profile *prof)
{
	as_val sum = 0;

	for (uint32_t k = 0; k < as_n_events(prof); k++)
		sum += prof->total[k];
	return sum;
}

static as_val whole_of(const struct as_profile *prof)
{
	as_val sum = 0;

	for (uint32_t k = 0; k < as_n_events(prof); k++)
		sum += prof->whole[k];
	return sum;
}

static enum as_code read_all(struct as_fleet_read *r, const struct answers *a, struct as_err *err)
{
	enum as_code rc = as_fleet_read_series(r, a->series);

	if (rc == AS_OK)
		rc = as_fleet_read_stacks(r, a->stacks);
	if (rc == AS_OK)
		rc = as_fleet_read_frames(r, a->frames);
	if (rc == AS_OK && a->whole.len)
		rc = as_fleet_read_whole(r, a->whole, a->halves);
	if (rc == AS_OK)
		rc = as_fleet_read_sums(r, a->sums, a->halves);
	must(rc == AS_OK || (rc == err->code && err->msg[0]));
	return rc;
}

static struct as_profile *profile_of(const struct answers *a, bool pushed)
{
	struct as_fleet_read_opts opts = {.labels = a->labels, .times = a->times, .pushed = pushed};
	struct as_fleet_gaps gaps;
	struct as_fleet_read *r;
	struct as_profile *prof;
	struct as_err err = AS_ERR_NONE;

	must(as_fleet_read_new(&as_alloc_libc, &opts, &r, &err) == AS_OK);
	if (read_all(r, a, &err) != AS_OK) {
		as_fleet_read_free(r);
		return NULL;
	}
	must(as_fleet_read_finish(r, &prof, &gaps, NULL) == AS_OK);
	must(total_of(prof) == sum_of(a, a->sums, a->times ? 20 : 16));
	must(!a->whole.len || whole_of(prof) == sum_of(a, a->whole, 8));
	/* halves may be more than moments are kept of */
	must(!a->times || a->halves || !prof->moments.left);
	return prof;
}

static void again(const struct as_profile *prof)
{
	struct as_fleet_rows_opts opts = {.begin_ns = 0};
	struct answers a = {.labels = true};
	struct as_err err = AS_ERR_NONE;
	struct as_fleet_rows rows;
	struct as_profile *back;
	AS_VEC(char) sums = {0};
	enum as_code rc = as_fleet_rows_make(&as_alloc_libc, prof, &opts, &rows, NULL, &err);

	must(rc == AS_OK || rc == AS_E_LIMIT);
	for (size_t i = 0; rc == AS_OK && i < rows.batch.n; i++)
		for (size_t k = 0; k < rows.batch.p[i].samples.n; k += AS_FLEET_ROW)
			must(as_vec_append(
				&as_alloc_libc, &sums, rows.batch.p[i].samples.p + k + 14, 24));
	if (rc == AS_OK) {
		a.series = (struct as_slice){rows.series.p, rows.series.n};
		a.stacks = (struct as_slice){rows.stacks.p, rows.stacks.n};
		a.frames = (struct as_slice){rows.frames.p, rows.frames.n};
		a.sums = (struct as_slice){sums.p, sums.n};
		back = profile_of(&a, true);
		must(back && total_of(back) == total_of(prof));
		as_profile_free(back);
	}
	as_vec_free(&as_alloc_libc, &sums);
	as_fleet_rows_release(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct answers a = answers_of(data, size);
	struct as_profile *prof = profile_of(&a, false);

	if (prof)
		again(prof);
	as_profile_free(prof);
	return 0;
}
