/* SPDX-License-Identifier: Apache-2.0 */
#include "base/duration.h"

static bool duration_unit(struct as_slice unit, double *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"", 1e9}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9},
		{"h", 3600e9}, {"d", 86400e9}, {"w", 7 * 86400e9}};

	for (size_t i = 0; i < AS_ARRAY_LEN(units); i++)
		if (as_slice_is(unit, units[i].name)) {
			*ns = units[i].ns;
			return true;
		}
	return false;
}

bool as_duration_ns(struct as_slice text, int64_t *ns)
{
	double value = 0, scale = 0, unit;
	size_t i = 0;

	for (; i < text.len && (text.p[i] == '.' || (text.p[i] >= '0' && text.p[i] <= '9')); i++) {
		if (text.p[i] == '.' && scale != 0)
			return false;
		scale = text.p[i] == '.' ? 1 : scale / 10;
		if (text.p[i] != '.')
			value = scale != 0 ? value + scale * (text.p[i] - '0')
					   : value * 10 + (text.p[i] - '0');
	}
	if (i == 0 || !duration_unit(as_slice_skip(text, i), &unit) || value * unit > 9e18)
		return false;
	*ns = (int64_t)(value * unit + 0.5);
	return true;
}

struct as_slice as_duration_text_by(struct as_arena *ar, int64_t ns, int64_t each)
{
	static const struct {
		int64_t ns;
		const char *word;
	} units[] = {{INT64_C(86400000000000), "d"}, {INT64_C(3600000000000), "h"},
		{INT64_C(60000000000), "m"}, {INT64_C(1000000000), "s"}, {1000000, "ms"},
		{1000, "us"}, {1, "ns"}};
	size_t i = 0;

	while (each % units[i].ns)
		i++;
	return as_arena_printf(ar, "%" PRId64 "%s", ns / units[i].ns, units[i].word);
}
