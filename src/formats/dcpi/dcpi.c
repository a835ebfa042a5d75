/* SPDX-License-Identifier: Apache-2.0 */
/* dcpi: profiles of DIGITAL's continuous profiler, pdb-0.06 and pdb-0.07; docs/formats/dcpi.md. */
#include "formats/dcpi/dcpi.h"

/* There are no magic bytes. The version line is as good as that; the page that was printed for
 * OpenVMS does without it, and then three of its lines must be there. */
static enum as_probe dcpi_probe(const struct as_peek *pk)
{
	struct as_slice rest = pk->head, line, key, value;
	uint64_t major, minor;
	uint32_t seen = 0;
	bool version = false, end = false;

	if (as_slice_find_text(rest, "pdb-") == rest.len &&
		as_slice_find_text(rest, "samples") == rest.len)
		return AS_PROBE_NO; /* the version, or the end of the header, has one of them */
	while (!end && rest.p && memchr(rest.p, '\n', rest.len) &&
		as_slice_cut(&rest, '\n', &line)) {
		line = as_slice_chop(line); /* the reader says what has happened to the file */
		end = seen && as_dcpi_is_end(line);
		if (end || !as_dcpi_split(line, &key, &value)) {
			if (!seen)
				return AS_PROBE_NO;
			continue;
		}
		seen |= 1u << as_dcpi_key(key);
		version |= as_slice_is(key, "version") &&
			   as_dcpi_version(as_slice_trim(value), &major, &minor);
	}
	if (version)
		return end ? AS_PROBE_SURE : AS_PROBE_MAGIC;
	return end && seen >> DCPI_IMAGE & 1 && seen >> DCPI_EVENT & 1 ? AS_PROBE_LIKELY
								       : AS_PROBE_NO;
}

static const struct as_opt dcpi_read_opts[] = {
	{"stride", "N", "bytes between two addresses of a chunk (default: as the file says, or 4)"},
	{NULL, NULL, NULL},
};

const struct as_format as_format_dcpi = {
	.name = "dcpi",
	.title = "DCPI profile, pdb-0.06 and pdb-0.07",
	.exts = "dcpi,pdb",
	.spec = "docs/formats/dcpi.md",
	.caps = AS_CAP(ADDRS) | AS_CAP(OBJECTS) | AS_CAP(IDS) | AS_CAP(EVENTS) | AS_CAP(PERIOD) |
		AS_CAP(EPOCH),
	.alike = true,
	.epochs = true,
	.platform = true,
	.probe = dcpi_probe,
	.read = as_dcpi_read,
	.write = AS_WRITER(as_dcpi_write),
	.pieces = AS_WRITER(as_dcpi_pieces),
	.piece_name = as_dcpi_piece_name,
	.read_opts = dcpi_read_opts,
};
