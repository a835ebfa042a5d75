/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/foreign.h"

#include "base/base.h"

#define COLLAPSE(script) script " FILE | assay top -"
#define XCTRACE(dir)                                                               \
	"xctrace export --input " dir " --xpath '/trace-toc/*/data/table[@schema=" \
	"\"time-profile\"]' | assay top -"

struct kind {
	const char *mark;
	size_t n; /* bytes of it */
	struct as_foreign is;
};

#define KIND(mark, what, way)           \
	{                               \
		mark, sizeof(mark) - 1, \
		{                       \
			what, way       \
		}                       \
	}

/* By how they begin. */
static const struct kind beginnings[] = {
#ifdef AS_FEWER_FORMATS
	KIND("PERFILE2", "a perf.data file of Linux perf", NULL),
	KIND("2ELIFREP", "a perf.data file of Linux perf, other byte order", NULL),
	KIND("FLR\0", "a Java Flight Recorder file", NULL),
	KIND("gmon", "a gmon.out file of gprof", NULL),
	KIND("Flat profile:", "text of gprof", NULL),
	KIND("Analysis of sampling ", "text of sample, of macOS", NULL),
	KIND("heap profile:", "a heap profile", NULL),
	KIND("heap_v2/", "a heap profile of jemalloc", NULL),
	KIND("--- heapz", "a heap profile", NULL),
	KIND("--- contention", "a contention profile", NULL),
	KIND("--- mutex", "a mutex contention profile", NULL),
	KIND("--- threadz", "a thread profile", NULL),
#endif
	KIND("\x1f\x8b", "gzip-compressed data inside compressed data", NULL),
	KIND("\x28\xb5\x2f\xfd", "zstd-compressed data inside compressed data", NULL),
	KIND("BZh", "a bzip2 archive", NULL),
	KIND("\xfd"
	     "7zXZ",
		"an xz archive", NULL),
	KIND("PK\x03\x04", "a zip archive", NULL),
	KIND("!<arch>\n", "a static library (ar archive)", NULL),
	KIND("\x89PNG", "a PNG picture", NULL),
	KIND("%PDF", "a PDF document", NULL),
	KIND("SQLite format 3", "an SQLite database", NULL),
	KIND("goroutine ", "a dump of Go's goroutines, made for reading",
		"ask for it with debug=1, or without debug=2: it is read then"),
	KIND("# To display the perf.data header info", "text of perf report",
		"perf script | assay top - has the stacks"),
	KIND("<?xml", "XML text", NULL),
	KIND("#!", "a script", NULL),
};

/* JSON, by a key or a word in it. */
static const struct kind json[] = {
#ifdef AS_FEWER_FORMATS
	KIND("\"resourceProfiles\"", "profiles of OpenTelemetry", NULL),
	KIND("\"preprocessedProfileVersion\"", "a profile of the Firefox Profiler's format", NULL),
	KIND("\"stackTable\":{\"schema\"", "a profile of Gecko's, of Firefox", NULL),
	KIND("\"dhatFileVersion\"", "a file of valgrind's DHAT", NULL),
	KIND("speedscope.app/file-format", "a speedscope file", NULL),
	KIND("\"missed_samples\"", "a profile of Ruby's stackprof", NULL),
	KIND("\"callFrame\"", "a .cpuprofile of V8 (Node, Chrome)", NULL),
#endif
	KIND("\"traceEvents\"", "a Chrome trace", NULL),
	KIND("\"ph\":", "a Chrome trace", NULL),
};

static bool foreign_starts(struct as_slice s, const struct kind *kind)
{
	return s.len >= kind->n && memcmp(s.p, kind->mark, kind->n) == 0;
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

#ifdef AS_FEWER_FORMATS
/* A dictionary of Python's marshal whose first key is a tuple; the high bit is a flag. */
static bool is_cprofile(struct as_slice s)
{
	return s.len > 2 && (s.p[0] & 0x7f) == '{' && (s.p[1] & 0x7f) == ')' && s.p[2] == 3;
}

static bool has_digit(struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] >= '0' && s.p[i] <= '9')
			return true;
	return false;
}

/* "prog 12 3.4: 250000 cycles:", and below it frames, "\t 55d0 main+0x10 (/bin/prog)". */
static bool is_perf_script(struct as_slice s)
{
	struct as_slice line, word, before = as_slice_of("");

	while (as_slice_cut(&s, '\n', &line)) {
		struct as_slice rest = line;
		uint64_t address;

		if (!line.len || line.p[0] == '#')
			continue;
		if (before.len)
			return (line.p[0] == ' ' || line.p[0] == '\t') &&
			       as_slice_word(&rest, &word) && as_slice_hex(word, &address) &&
			       as_slice_ends(as_slice_trim(line), ")");
		before = as_slice_trim(line);
		if (!as_slice_ends(before, ":") || !has_digit(before))
			return false;
	}
	return false;
}
#endif

static struct as_foreign text_kind(struct as_slice s)
{
#ifdef AS_FEWER_FORMATS
	if (is_perf_script(s))
		return (struct as_foreign){"text of perf script", NULL};
	if (as_slice_starts(s, "desc:") && as_slice_find_text(s, "\ntime_unit:") < s.len)
		return (struct as_foreign){"a file of valgrind's Massif", NULL};
	if (as_slice_starts(s, "@[") || as_slice_find_text(s, "\n@[") < s.len)
		return (struct as_foreign){"text of bpftrace", NULL};
#else
	(void)s;
#endif
	return (struct as_foreign){"text", NULL};
}

static struct as_foreign json_kind(struct as_slice s)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(json); i++)
		if (as_slice_find_text(s, json[i].mark) < s.len)
			return json[i].is;
	return (struct as_foreign){"JSON text", NULL};
}

static struct as_foreign xml_kind(struct as_slice s)
{
#ifdef AS_FEWER_FORMATS
	if (as_slice_find_text(s, "<trace-query-result") < s.len)
		return (struct as_foreign){"what xctrace exports of Instruments", NULL};
#else
	if (as_slice_find_text(s, "<trace-toc") < s.len)
		return (struct as_foreign){
			"a list of what xctrace can export", XCTRACE("FILE.trace")};
#endif
	return (struct as_foreign){"XML text", NULL};
}

struct as_foreign as_foreign_kind(struct as_slice s, const char *name)
{
	if (as_slice_starts(s, "\x7f"
			       "ELF"))
		return (struct as_foreign){elf_kind(s), NULL};
	if (as_slice_ends(as_slice_of(name), ".nsys-rep"))
		return (struct as_foreign){"a report of Nsight Systems",
			"its Scripts/Flamegraph has " COLLAPSE("stackcollapse_nsys.py")};
#ifdef AS_FEWER_FORMATS
	if (is_cprofile(s))
		return (struct as_foreign){"a profile of Python's cProfile", NULL};
#endif
	if (as_slice_starts(s, "<?xml"))
		return xml_kind(s);
	if (s.len && (s.p[0] == '{' || s.p[0] == '['))
		return json_kind(s);
	for (size_t i = 0; i < AS_ARRAY_LEN(beginnings); i++)
		if (foreign_starts(s, &beginnings[i]))
			return beginnings[i].is;
	return is_text(s) ? text_kind(s) : (struct as_foreign){"binary data", NULL};
}

const char *as_foreign_directory(const char *dir)
{
	struct as_slice name = as_slice_of(dir);

	while (as_slice_ends(name, "/"))
		name.len--;
	if (as_slice_ends(name, ".trace"))
		return XCTRACE("DIR");
	return NULL;
}
