/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/foreign.h"

#include "base/base.h"

#define COLLAPSE(script) script " FILE | assay top -"
#define XCTRACE(dir)                                                               \
	"xctrace export --input " dir " --xpath '/trace-toc/*/data/table[@schema=" \
	"\"time-profile\"]' | assay top -"

#define PERFETTO "traceconv profile --perf FILE; assay reads the files that it writes"
#define PYINSTRUMENT "pyinstrument --load FILE -r speedscope | assay top -"
#define PPROF "name what pprof was given: assay top PROFILE; of a URL: pprof -proto URL"
#define XDEBUG "xdebug.mode=profile writes files of Callgrind's format, which are read"
#define PICTURE "a picture has no exact figures: name the file that it was made of"
#define COPIED "a copy of a call tree has no threads and times: " XCTRACE("FILE.trace")
#define ANNOTATED "name the file that it was made of: assay list, assay top"

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
	KIND("\x1f\x8b", "gzip-compressed data inside compressed data", NULL),
	KIND("\x28\xb5\x2f\xfd", "zstd-compressed data inside compressed data", NULL),
	KIND("BZh", "a bzip2 archive", NULL),
	KIND("\xfd"
	     "7zXZ",
		"an xz archive", NULL),
	KIND("PK\x03\x04", "a zip archive", NULL),
	KIND("goroutine ", "a dump of Go's goroutines, made for reading",
		"ask for it with debug=1, or without debug=2: it is read then"),
	KIND("# To display the perf.data header info", "text of perf report",
		"perf script | assay top - has the stacks"),
	KIND("#!", "a script", NULL),
#endif
	KIND("!<arch>\n", "a static library (ar archive)", NULL),
	KIND("\x89PNG", "a PNG picture", NULL),
	KIND("%PDF", "a PDF document", NULL),
	KIND("SQLite format 3", "an SQLite database", NULL),
	KIND("<?xml", "XML text", NULL),
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

#ifndef AS_FEWER_FORMATS
/* What is not read here, and how to get something that is: by the end of the file's name, by how it
 * begins, or by what stands in its first bytes. */
enum where { AT_NAME, AT_BEGIN, AT_HEAD };
enum { HEAD_BYTES = 4096 };

#define COUNTERS "gcov --json-format FILE (of clang: llvm-cov gcov -b FILE) writes what is read"
#define LLVM_COV(profile) "llvm-cov export PROGRAM -instr-profile=" profile " | assay top -"

static const struct other {
	enum where where;
	struct kind kind;
} others[] = {
	{AT_NAME, KIND(".nsys-rep", "a report of Nsight Systems",
			  "its Scripts/Flamegraph has " COLLAPSE("stackcollapse_nsys.py"))},
	{AT_NAME, KIND(".perfetto-trace", "a trace of Perfetto", PERFETTO)},
	{AT_NAME, KIND(".pftrace", "a trace of Perfetto", PERFETTO)},
	{AT_NAME, KIND(".pyisession", "a session of pyinstrument", PYINSTRUMENT)},
	{AT_BEGIN, KIND("Nettrace", "a trace of .NET",
			   "dotnet-trace convert FILE --format Speedscope; assay reads what it "
			   "writes")},
	{AT_BEGIN, KIND("v8-version,", "a log of node --prof",
			   "record with node --cpu-prof: assay reads the .cpuprofile")},
	{AT_BEGIN, KIND("{\"snapshot\":{\"meta\":", "a heap snapshot of V8",
			   "record with node --heap-prof: assay reads the .heapprofile")},
	{AT_BEGIN, KIND("rbspy0", "a raw recording of rbspy",
			   "rbspy report -f speedscope -i FILE -o x.speedscope.json; assay reads "
			   "that")},
	{AT_BEGIN, KIND("adcg", "counters of a build with --coverage", COUNTERS)},
	{AT_BEGIN, KIND("oncg", "notes of a build with --coverage",
			   "gcov is given the .gcda beside it, and writes what is read: gcov "
			   "--json-format FILE.gcda")},
	{AT_BEGIN, KIND("\x81rforpl\xff", "raw counters of clang",
			   "llvm-profdata merge FILE -o x; " LLVM_COV("x"))},
	{AT_BEGIN, KIND("\xff"
			"lprofi\x81",
			   "merged counters of clang", LLVM_COV("FILE"))},
	{AT_BEGIN, KIND("NYTProf ", "a profile of Perl's NYTProf", COLLAPSE("nytprofcalls"))},
	{AT_BEGIN, KIND("JAVA PROFILE 1.0", "a file of Java's hprof",
			   "record with java -XX:StartFlightRecording=filename=x.jfr")},
	{AT_BEGIN, KIND("hdrb", "an event log of GHC",
			   "hs-speedscope FILE; assay reads the JSON that it writes")},
	{AT_BEGIN, KIND("Function Stack", "a report of VTune", COLLAPSE("inferno-collapse-vtune"))},
	{AT_BEGIN, KIND("war:Column filter is ON.", "a report of VTune",
			   COLLAPSE("inferno-collapse-vtune"))},
	{AT_BEGIN, KIND("\xef\xbb\xbfLevel,Function Name,Number of Calls,",
			   "a report of Visual Studio's profiler",
			   COLLAPSE("inferno-collapse-vsprof"))},
	{AT_BEGIN, KIND("Running Time\tSelf", "a call tree copied from Instruments", COPIED)},
	{AT_BEGIN, KIND("Weight\tSelf Weight\t", "a call tree copied from Instruments", COPIED)},
	{AT_BEGIN, KIND("DTiJ", "code that a process made, beside a perf.data file",
			   "name the perf.data: what it names stands beside it and is read")},
	{AT_BEGIN, KIND("Could not enable CPU profiling",
			   "what Go's server says where a profile is being taken",
			   "ask again when that one has ended")},
	{AT_BEGIN, KIND("PeriodType:", "text of pprof -raw", PPROF)},
	{AT_BEGIN, KIND("# To display the perf.data header info", "text of perf report",
			   "perf script | assay top - has the stacks")},
	{AT_BEGIN, KIND("goroutine ", "a dump of Go's goroutines, made for reading",
			   "ask for it with debug=1, or without debug=2: it is read then")},
	{AT_BEGIN, KIND("TRACE START", "a trace of Xdebug", XDEBUG)},
	{AT_BEGIN, KIND("BZh", "a bzip2 archive", "bzcat FILE | assay top -")},
	{AT_BEGIN, KIND("\xfd"
			"7zXZ",
			   "an xz archive", "xzcat FILE | assay top -")},
	{AT_BEGIN, KIND("\x04\x22\x4d\x18", "an LZ4 archive", "lz4cat FILE | assay top -")},
	{AT_BEGIN, KIND("PK\x03\x04", "a zip archive",
			   "unzip -p FILE MEMBER | assay top -; its members: unzip -l FILE")},
	{AT_BEGIN, KIND("\x1f\x8b", "gzip-compressed data inside compressed data",
			   "zcat FILE | assay top -")},
	{AT_BEGIN, KIND("\x28\xb5\x2f\xfd", "zstd-compressed data inside compressed data",
			   "zstdcat FILE | assay top -")},
	{AT_BEGIN, KIND("#!", "a script", "record what it runs: assay record FILE")},
	{AT_BEGIN, KIND("<svg", "an SVG picture", PICTURE)},
	{AT_HEAD, KIND("File format: 4\nTRACE START", "a trace of Xdebug", XDEBUG)},
	{AT_HEAD, KIND("Showing nodes accounting for", "text of pprof", PPROF)},
	{AT_HEAD, KIND("-----------+------", "text of pprof -traces", PPROF)},
	{AT_HEAD, KIND("   ncalls  tottime  percall  cumtime", "text of Python's pstats",
			  "python3 -m cProfile -o x.pstats has the calls; assay top x.pstats")},
	{AT_HEAD, KIND("Time and Allocation Profiling Report", "a profile of GHC",
			  COLLAPSE("inferno-collapse-ghcprof"))},
	{AT_HEAD, KIND("Performance counter stats for", "text of perf stat",
			  "it has no functions: perf record, and assay reads the perf.data")},
	{AT_HEAD, KIND("\nProfile data file ", "text of callgrind_annotate", ANNOTATED)},
	{AT_HEAD, KIND("Full thread dump", "a dump of Java's threads",
			  "it is one moment: record with jcmd PID JFR.start filename=x.jfr")},
	{AT_HEAD, KIND("\"linux-perf-json-version\"", "JSON of perf data convert",
			  "perf script -i perf.data | assay top - has events and periods, too")},
	{AT_HEAD, KIND("\"start_call_stack\"", "a session of pyinstrument", PYINSTRUMENT)},
};

static bool other_is(const struct other *o, struct as_slice s, struct as_slice name)
{
	const struct kind *kind = &o->kind;

	if (o->where == AT_NAME)
		return as_slice_ends(name, kind->mark);
	if (o->where == AT_BEGIN)
		return foreign_starts(s, kind);
	s.len = s.len < HEAD_BYTES ? s.len : HEAD_BYTES;
	return as_slice_find_text(s, kind->mark) < s.len;
}

/* "v 10500 3", then what ran. */
static bool is_heaptrack(struct as_slice s)
{
	struct as_slice line;

	return as_slice_starts(s, "v ") && as_slice_cut(&s, '\n', &line) &&
	       as_slice_starts(s, "X ");
}

/* "go 1.22 trace" and zeros. */
static bool is_go_trace(struct as_slice s)
{
	s.len = s.len < 16 ? s.len : 16;
	return as_slice_starts(s, "go 1.") && as_slice_find_text(s, " trace") < s.len;
}

/* MOJ and a version. */
static bool is_mojo(struct as_slice s)
{
	return s.len > 3 && as_slice_starts(s, "MOJ") && s.p[3] > 0 && s.p[3] < ' ';
}

/* "@ EVENT [N samples]", then call graphs. */
static bool is_pmcstat(struct as_slice s)
{
	struct as_slice line;

	return as_slice_starts(s, "@ ") && as_slice_cut(&s, '\n', &line) &&
	       as_slice_ends(line, " samples]");
}

static const struct special {
	bool (*is)(struct as_slice s);
	struct as_foreign what;
} specials[] = {
	{is_heaptrack, {"a recording of heaptrack",
			       "heaptrack_print -F x.folded FILE; assay top x.folded"}},
	{is_go_trace, {"an execution trace of Go",
			      "go tool trace -pprof=sched FILE | assay top -; or =sync, =net, "
			      "=syscall"}},
	{is_pmcstat, {"call graphs of FreeBSD's pmcstat",
			     "pmcstat -R LOG -g makes gmon.out files, which are read"}},
	{is_mojo, {"a binary recording of austin",
			  "mojo2austin FILE FILE.austin; assay top FILE.austin"}},
};

static bool foreign_other(struct as_slice s, const char *name, struct as_foreign *is)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(specials); i++)
		if (specials[i].is(s)) {
			*is = specials[i].what;
			return true;
		}
	for (size_t i = 0; i < AS_ARRAY_LEN(others); i++)
		if (other_is(&others[i], s, as_slice_of(name))) {
			*is = others[i].kind.is;
			return true;
		}
	return false;
}
#else
static bool foreign_other(struct as_slice s, const char *name, struct as_foreign *is)
{
	(void)s;
	(void)name;
	(void)is;
	return false;
}
#endif

static struct as_foreign elf_kind(struct as_slice s)
{
	static const char record[] = "a program is recorded first: assay record ./FILE";
	unsigned type;

	if (s.len < 18)
		return (struct as_foreign){"the beginning of an ELF file", NULL};
	type = (unsigned char)s.p[s.p[5] == 2 ? 17 : 16];
	switch (type) {
	case 1:
		return (struct as_foreign){"an ELF object file", NULL};
	case 2:
		return (struct as_foreign){"an ELF executable", record};
	case 3:
		return (struct as_foreign){"an ELF shared object or executable", record};
	case 4:
		return (struct as_foreign){"an ELF core dump", NULL};
	default:
		return (struct as_foreign){"an ELF file", NULL};
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
	if (as_slice_find_text(s, "<svg") < s.len)
		return (struct as_foreign){"an SVG picture", PICTURE};
	if (as_slice_find_text(s, "<trace-toc") < s.len)
		return (struct as_foreign){
			"a list of what xctrace can export", XCTRACE("FILE.trace")};
#endif
	return (struct as_foreign){"XML text", NULL};
}

struct as_foreign as_foreign_kind(struct as_slice head, const char *name)
{
	struct as_foreign other;

	if (as_slice_starts(head, "\x7f"
				  "ELF"))
		return elf_kind(head);
	if (foreign_other(head, name, &other))
		return other;
#ifdef AS_FEWER_FORMATS
	if (is_cprofile(head))
		return (struct as_foreign){"a profile of Python's cProfile", NULL};
#endif
	if (as_slice_starts(head, "<?xml"))
		return xml_kind(head);
	if (head.len && (head.p[0] == '{' || head.p[0] == '['))
		return json_kind(head);
	for (size_t i = 0; i < AS_ARRAY_LEN(beginnings); i++)
		if (foreign_starts(head, &beginnings[i]))
			return beginnings[i].is;
	return is_text(head) ? text_kind(head) : (struct as_foreign){"binary data", NULL};
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
