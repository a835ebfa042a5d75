/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/dcpicat/dcpicat.h"

bool as_dcpicat_split(struct as_slice line, struct as_slice *key, struct as_slice *value)
{
	struct as_slice rest = line;

	if (as_slice_find(line, 0) < line.len || !as_slice_word(&rest, key) || key->p != line.p)
		return false;
	*value = as_slice_ltrim(rest);
	return value->len > 0;
}

bool as_dcpicat_is_row(struct as_slice line)
{
	return as_slice_starts(line, "0x");
}

/* Cut what follows the last ':' off TEXT. */
static bool cut_last(struct as_slice *text, uint64_t *number)
{
	for (size_t i = text->len; i > 0; i--)
		if (text->p[i - 1] == ':') {
			bool ok = as_slice_dec(as_slice_skip(*text, i), number);

			text->len = i - 1;
			return ok;
		}
	return false;
}

bool as_dcpicat_event(struct as_slice value, struct dcpicat_event *ev)
{
	struct as_slice rest = value, total;

	if (!as_slice_word(&rest, &total) || !as_slice_dec(total, &ev->total))
		return false;
	ev->name = as_slice_trim(rest);
	return cut_last(&ev->name, &ev->fraction) && cut_last(&ev->name, &ev->period) &&
	       ev->name.len > 0;
}
