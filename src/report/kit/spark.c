/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/spark.h"

struct as_slice as_spark_line(struct as_arena *ar, const as_val *value, uint32_t n, as_val most,
	const struct as_style *style)
{
	static const char *const high[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const plain[] = {" ", ".", ":", "-", "=", "+", "*", "%", "#"};
	const char *const *step = style->utf8 ? high : plain;
	const int steps = AS_ARRAY_LEN(high) - 1;
	char *text = as_arena_get(ar, (size_t)n * 4 + 1);
	size_t len = 0;

	for (uint32_t i = 0; text && i < n; i++) {
		as_val v = value[i] > 0 && most > 0 ? (value[i] * steps + most - 1) / most : 0;
		size_t k = strlen(step[v]);

		memcpy(text + len, step[v], k);
		len += k;
	}
	return (struct as_slice){text, len};
}
