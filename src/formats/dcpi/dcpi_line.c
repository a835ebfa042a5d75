/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a header. <space> is blank and tab; a carriage return is not. */
#include "formats/dcpi/dcpi.h"

static const char *const key_names[DCPI_KEYS] = {
	[DCPI_VERSION] = "version",
	[DCPI_IMAGE] = "image",
	[DCPI_EPOCH] = "epoch",
	[DCPI_PLATFORM] = "platform",
	[DCPI_EVENT] = "event",
	[DCPI_PERIOD] = "period",
	[DCPI_TSTART] = "tstart",
	[DCPI_TSIZE] = "tsize",
	[DCPI_CPUSPEED] = "cpuspeed",
	[DCPI_PATH] = "path",
	[DCPI_CPUAMASK] = "cpuamask",
	[DCPI_CPUIMPLV] = "cpuimplv",
	[DCPI_CPUCOUNT] = "cpucount",
	[DCPI_STRIDE_KEY] = "stride",
	[DCPI_EPOCH_UNKNOWN] = "epoch-unknown",
	[DCPI_EVENT_UNIT] = "event-unit",
	[DCPI_PERIOD_UNIT] = "period-unit",
	[DCPI_ADDRESSES] = "addresses",
	[DCPI_ACTIVE] = "active",
};

static bool dcpi_line_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool as_dcpi_is_end(struct as_slice line)
{
	if (!as_slice_starts(line, "samples"))
		return false;
	for (size_t i = strlen("samples"); i < line.len; i++)
		if (!dcpi_line_is_blank(line.p[i]))
			return false;
	return true;
}

bool as_dcpi_split(struct as_slice line, struct as_slice *key, struct as_slice *rest)
{
	size_t n = 0, value;

	while (n < line.len && !dcpi_line_is_blank(line.p[n]))
		n++;
	for (value = n; value < line.len && dcpi_line_is_blank(line.p[value]);)
		value++;
	if (n == 0 || value == line.len || memchr(line.p, 0, line.len))
		return false;
	*key = (struct as_slice){line.p, n};
	*rest = as_slice_skip(line, n);
	return true;
}

enum dcpi_key as_dcpi_key(struct as_slice name)
{
	for (int key = 0; key < DCPI_KEYS; key++)
		if (name.len && *name.p == *key_names[key] && as_slice_is(name, key_names[key]))
			return (enum dcpi_key)key;
	return DCPI_KEYS;
}

const char *as_dcpi_key_name(enum dcpi_key key)
{
	return key_names[key];
}

bool as_dcpi_version(struct as_slice text, uint64_t *major, uint64_t *minor)
{
	struct as_slice part;

	if (!as_slice_starts(text, "pdb-"))
		return false;
	text = as_slice_skip(text, strlen("pdb-"));
	return as_slice_cut(&text, '.', &part) && as_slice_dec(part, major) && text.p &&
	       as_slice_dec(text, minor);
}

struct as_slice as_dcpi_hex_digits(struct as_slice text)
{
	return as_slice_starts(text, "0x") || as_slice_starts(text, "0X") ? as_slice_skip(text, 2)
									  : text;
}
