/* SPDX-License-Identifier: Apache-2.0 */
/* What is this input? First the formats are asked; if none wants it, say what it looks like. */
#include "formats/format.h"

static bool starts(struct as_slice s, const char *magic, size_t n)
{
	return s.len >= n && memcmp(s.p, magic, n) == 0;
}

static const char *elf_kind(struct as_slice s)
{
	unsigned type;

	if (s.len < 18)
		return "the beginning of an ELF file";
	type = (unsigned char)s.p[s.p[5] == 2 ? 17 : 16];
	switch (type) {
	case 1:
		return "an ELF object file";
	case 2:
		return "an ELF executable";
	case 3:
		return "an ELF shared object or executable";
	case 4:
		return "an ELF core dump";
	default:
		return "an ELF file";
	}
}

static bool is_text(struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f')
			return false;
	}
	return true;
}

static const char *looks_like(struct as_slice s)
{
	static const struct {
		const char *magic;
		size_t n;
		const char *what;
	} known[] = {
		{"PERFILE2", 8, "a perf.data file of Linux perf"},
		{"2ELIFREP", 8, "a perf.data file of Linux perf, other byte order"},
		{"\x1f\x8b", 2, "gzip-compressed data inside compressed data"},
		{"\x28\xb5\x2f\xfd", 4, "zstd-compressed data inside compressed data"},
		{"BZh", 3, "a bzip2 archive"},
		{"\xfd"
		 "7zXZ",
			5, "an xz archive"},
		{"PK\x03\x04", 4, "a zip archive"},
		{"!<arch>\n", 8, "a static library (ar archive)"},
		{"\x89PNG", 4, "a PNG picture"},
		{"%PDF", 4, "a PDF document"},
		{"FLR\0", 4, "a Java Flight Recorder file"},
		{"gmon", 4, "a gmon.out file of gprof"},
		{"{", 1, "JSON text"},
		{"[", 1, "JSON text"},
		{"<?xml", 5, "XML text"},
		{"#!", 2, "a script"},
		{"heap profile:", 13, "a gperftools heap profile"},
		{"--- heapz", 9, "a heap profile"},
		{"--- contention", 14, "a contention profile"},
		{"--- mutex", 9, "a mutex contention profile"},
		{"--- threadz", 11, "a thread profile"},
	};

	if (starts(s,
		    "\x7f"
		    "ELF",
		    4))
		return elf_kind(s);
	for (size_t i = 0; i < AS_ARRAY_LEN(known); i++)
		if (starts(s, known[i].magic, known[i].n))
			return known[i].what;
	return is_text(s) ? "text" : "binary data";
}

static bool ext_matches(const struct as_format *fmt, const char *name)
{
	struct as_slice rest = as_base_name(as_slice_of(name)), word;

	while (as_slice_cut(&rest, '.', &word)) {
		struct as_slice exts = as_slice_of(fmt->exts), one;

		while (fmt->exts && as_slice_cut(&exts, ',', &one))
			if (one.len && as_slice_eq(one, word))
				return true;
	}
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
		return as_err_set(
			err, AS_E_NOTPROFILE, "not a profile: this is %s", looks_like(pk->head));
	if (tie)
		return as_err_set(err, AS_E_UNSUPPORTED, "could be '%s' or '%s': name the format",
			best->name, tie->name);
	return AS_OK;
}
