/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a metric: it is refused with words, or computed for any costs, also the largest,
 * and then the same way twice.
 */
#include "change/kit/fuzz_profile.h"
#include "table/metric.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST ((as_val)(((as_uval)1 << 127) - 1))

static bool same(struct as_number a, struct as_number b)
{
	if (a.known != b.known || a.whole != b.whole)
		return false;
	return !a.known || (a.whole ? a.n == b.n : as_number_cmp(a, b) == 0);
}

static void compute(const struct as_metric *m)
{
	static const as_val row[][3] = {
		{0, 0, 0}, {7, 3, 1}, {-7, 3, -1}, {MOST, MOST, MOST}, {-MOST, MOST, 1}};
	static const as_val calls[] = {0, 5};

	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
		for (size_t k = 0; k <= AS_ARRAY_LEN(calls); k++) {
			struct as_metric_row r = {.v = row[i],
				.total = row[AS_ARRAY_LEN(row) - 1 - i],
				.calls = k ? &calls[k - 1] : NULL};
			struct as_number a = as_metric_value(m, &r);

			must(same(a, as_metric_value(m, &r)));
			must(as_number_cmp(a, a) == 0);
			must(!a.known || a.whole ||
				a.x - a.x == 0); /* neither infinite nor a NaN */
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice text = {(const char *)data, size};
	struct as_profile *prof = fuzz_profile("fgh", 1000);
	struct as_metric m;
	struct as_err err;

	as_err_clear(&err);
	if (as_metric_parse(prof, &as_alloc_libc, text, &m, &err) == AS_OK)
		compute(&m);
	else
		must(err.code == AS_E_ARG && err.msg[0]);
	as_metric_release(&m);
	as_profile_free(prof);
	return 0;
}
