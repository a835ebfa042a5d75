/* SPDX-License-Identifier: Apache-2.0 */
/* What is this input? First the formats are asked; if none wants it, say what it looks like. */
#include "formats/foreign.h"
#include "formats/format.h"

static bool ext_matches(const struct as_format *fmt, const char *name)
{
	struct as_slice rest = as_base_name(as_slice_of(name)), word;

	while (as_slice_cut(&rest, '.', &word))
		if (as_format_has_ext(fmt, word))
			return true;
	return false;
}

enum as_code as_probe_formats(const struct as_peek *pk, const char *name,
	const struct as_format **out, struct as_err *err)
{
	const struct as_format *best = NULL, *tie = NULL;
	int top = AS_PROBE_NO;

	for (size_t i = 0; as_formats[i]; i++) {
		const struct as_format *fmt = as_formats[i];
		int band = fmt->probe && fmt->read ? (int)fmt->probe(pk) : AS_PROBE_NO;

		/* The name may lift a guess, never beat what is written in the bytes. */
		if (band > AS_PROBE_NO && band < AS_PROBE_MAGIC && ext_matches(fmt, name))
			band++;
		if (band > top) {
			top = band;
			best = fmt;
			tie = NULL;
		} else if (band == top && band > AS_PROBE_NO) {
			tie = fmt;
		}
	}
	*out = best;
	if (pk->head.len == 0)
		return as_err_set(err, AS_E_TRUNC,
			"the file is empty: the program did not end normally, or this is "
			"valgrind's base file beside FILE.1 and FILE-01");
	if (!best)
		return as_err_set(err, AS_E_NOTPROFILE, "not a profile: this is %s",
			as_foreign_kind(pk->head, name).what);
	if (tie)
		return as_err_set(err, AS_E_UNSUPPORTED, "could be '%s' or '%s': name the format",
			best->name, tie->name);
	return AS_OK;
}
