/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A format is a const struct of plain data and functions.
 *
 * To add one:
 *  1. src/formats/NAME/NAME.c with `const struct as_format as_format_NAME`,
 *     NAME_read.c, NAME_write.c ..., and a meson.build that adds them to fmt_src;
 *  2. NAME in the list of src/formats/meson.build;
 *  3. docs/formats/NAME.md;
 *  4. NAME_test.c, golden files, NAME_fuzz.c.
 *
 * Drivers never open, print or allocate outside the profile and their own
 * scratch; a driver never includes another driver.
 */
#ifndef AS_FORMATS_FORMAT_H
#define AS_FORMATS_FORMAT_H

#include "base/exec.h"
#include "io/in.h"
#include "io/out.h"
#include "io/unpack.h"
#include "io/xml_in.h"
#include "model/build.h"
#include "model/findings.h"
#include "model/profile.h"

/* How sure a probe is. A tie above WEAK means "don't know". */
enum as_probe {
	AS_PROBE_NO = 0,
	AS_PROBE_WEAK = 25,   /* plausible text */
	AS_PROBE_LIKELY = 50, /* several lines or fields verified */
	AS_PROBE_MAGIC = 75,  /* four bytes of magic or more */
	AS_PROBE_SURE = 100,  /* magic, and header values that make sense */
};

enum { AS_PEEK_MAX = 64 * 1024 };
/* Of a file that begins so, with names of addresses: what it is stands behind them. */
#define AS_SYMBOL_MARK "--- symbol"
enum { AS_PEEK_SYMBOLS = 4 * 1024 * 1024 };

/* What a probe may look at. */
struct as_peek {
	struct as_slice head; /* the first AS_PEEK_MAX or AS_PEEK_SYMBOLS bytes at the most */
	bool whole;           /* head is all there is */
};

/* How much the caller wants to know. A reader may give more, never less. */
enum as_detail {
	AS_DETAIL_FUNC, /* self and calls per function: no lines, addresses, jumps, positions */
	AS_DETAIL_FILE, /* plus the file that code is of where it was inlined; lines may be there */
	AS_DETAIL_LINE, /* plus file and line; no addresses, no jumps */
	AS_DETAIL_FULL, /* everything that the input holds */
};

struct as_limits {
	uint64_t depth;  /* frames of a stack */
	uint64_t events; /* events of a profile */
};

/* An option of a driver, as "-I key=value" and "-O key=value" give it. */
struct as_opt {
	const char *key;
	const char *value; /* what it takes, for help: "yes|no", "N" */
	const char *help;
};

/* Whether OPTS, a driver's, which may be NULL, have KEY. */
bool as_opts_have(const struct as_opt *opts, struct as_slice key);
/* Whether PAIR, "key=value" or "key", is an option of OPTS with a value that it can have: what
 * takes yes or no is on by what as_opts_flag() says, off by "no", "off", "false" or "0". */
bool as_opts_take(const struct as_opt *opts, const char *pair);

/* Looks an option's value up; NULL when it was not given. Provided by the host. */
struct as_opts {
	const char *const *pair; /* "key=value" texts */
	size_t n;
};
const char *as_opts_get(const struct as_opts *opts, const char *key);
/* "yes", "on", "true", "1" or no value: true. DEFAULT_ when not given. */
bool as_opts_flag(const struct as_opts *opts, const char *key, bool default_);

/*
 * What is asked for of samples. The caller leaves out all others anyway, so a reader may do so:
 * then it adds them to the profile's WHOLE. Objects and mappings stay, but
 * for those of sections that are not there.
 */
struct as_rd_choice {
	const void *ctx;
	/* Whether samples that end in code of the object PATH, "" for none, may be asked for; NULL:
	 * all may. A reader that chooses asks it of each object that the input has. */
	bool (*object)(const void *ctx, struct as_slice path);
	/* The same of samples of PART. */
	bool (*part)(const void *ctx, const struct as_profile *prof, uint32_t part);
};

struct as_unwinder;   /* perf/perf_stack.h */
struct as_made_names; /* perf/perf_made.h */

/* A job of reading one input into a builder. */
struct as_rd {
	struct as_in *in;
	struct as_build *out;
	const struct as_alloc *al; /* a pool's: all of it goes when the reader returns */
	struct as_err *err;
	struct as_findings *findings; /* may be NULL */
	enum as_detail detail;
	bool sums;   /* of paths, what they add up to for each function will do: prof->sums */
	bool stacks; /* if SUMS: they may be made of prof->stacks, as where code has no names */
	const struct as_rd_choice *choice; /* NULL: of all samples */
	const size_t *sections; /* of the input: how many bytes of each are there; NULL: all are */
	size_t n_sections;      /* see as_format.sections */
	bool strict;            /* an ERROR finding ends the reading with AS_E_FORMAT */
	struct as_limits lim;
	struct as_exec *exec; /* NULL: one thread */
	struct as_opts opts;
	const char *name; /* of the input, for the part's name; "" or path; borrowed */
	const struct as_unpack *unpack;     /* of zstd inside of files; NULL: it cannot be undone */
	const struct as_xml *xml;           /* NULL: XML cannot be read */
	const struct as_unwinder *unwinder; /* of copies of stacks; NULL: they stay as they are */
	const struct as_made_names *made;   /* of code made at run time; NULL: none are known */
	struct as_src *const *more;         /* of an input that is a folder: the files beside IN */
	size_t n_more;
};

/* One kind of loss, with its amount. */
struct as_loss {
	const char *kind;  /* "calls", "lines" ...: stable word, from AS_CAPS or the writer's own */
	uint64_t amount;   /* how many of them; of costs UINT64_MAX at the most, and COST has all */
	const char *words; /* "call edge{|s}": constant, see as_arena_plural() */
	struct as_slice text; /* those of AMOUNT, for people: "call edges" */
	bool of_cost;         /* COST of EVENT is lost; else AMOUNT counts things */
	struct as_slice event;
	as_val cost;
};

struct as_losses {
	struct as_arena arena;
	AS_VEC(struct as_loss) row;
	bool no_memory; /* for one of them: the list is not complete */
};
void as_losses_init(struct as_losses *l, const struct as_alloc *al);
void as_losses_release(struct as_losses *l);
/* Amount 0 is no loss and is ignored; equal kinds are added up (the first words stay, so give
 * them without the number: "AMOUNT TEXT" is printed). */
void as_losses_add(struct as_losses *l, const char *kind, uint64_t amount, const char *words);
/* The same of what AS_CAPS has: BIT is one of AS_CAPBIT_*. */
void as_losses_add_cap(struct as_losses *l, unsigned bit, uint64_t amount);
/* The same of a cost of EVENT, which is in nothing else's sum: "COST EVENT WORDS" is printed. */
void as_losses_add_cost(struct as_losses *l, const char *kind, struct as_slice event, as_val cost,
	const char *words);
/* What FROM has, too. */
void as_losses_add_all(struct as_losses *l, const struct as_losses *from);
/* How much it is, to stand before the text: "3", "36893488147419103230". */
const char *as_loss_number(const struct as_loss *loss, char buf[AS_VAL_TEXT]);

/* A job of writing one piece of a profile. */
struct as_wr {
	struct as_out *out;
	const struct as_alloc *al; /* a pool's: all of it goes when the writer returns */
	struct as_err *err;
	struct as_losses *losses; /* may be NULL */
	struct as_exec *exec;     /* NULL: one thread */
	struct as_opts opts;
	uint32_t sections; /* of so many samples at least, see as_format.sections; 0: in none */
	uint32_t piece;    /* which, for formats that need several files */
	bool small;        /* in the order that takes less room where it is compressed */
	bool moments;      /* pprof: with moments and parts, which no reader but ours has */
};

/* What writes a format: nothing where only readers are built, as for the page (wasm/). */
#ifdef AS_NO_WRITERS
#define AS_HAS_WRITERS false
#define AS_WRITER(function) (true ? NULL : (function))
#else
#define AS_HAS_WRITERS true
#define AS_WRITER(function) (function)
#endif

struct as_format {
	const char *name;  /* CLI token, [a-z0-9-]+; never changes once released */
	const char *title; /* one line for `assay formats` */
	const char *exts;  /* "prof,cpu"; a hint for -o and for ties, never proof */
	const char *spec;  /* page in docs/formats/ */
	uint64_t caps;     /* AS_CAP_*: what the format can carry; writing loses the rest */
	bool by_detail;    /* less is read where less is wanted: as_rd.detail */
	bool run_lines;    /* and of lines of metadata those of formats/run_lines.h */
	/* Of paths: rows of self cost are written as paths of one frame as they are, where each
	 * function has a name or its rows have the addresses, nothing is labelled and each place is
	 * there once. */
	bool self_rows;
	bool rows_again; /* and a place may be there several times: the writer adds these up */
	/* The same, if it says so of PROF. */
	bool (*takes_rows)(const struct as_profile *prof);
	bool of_moments; /* a profile without moments is not written */
	/* Of profiles that were read from it: */
	/* Where the first samples do not say when they were, none does, and whether there are calls
	 * stands among the first rows: as_read_opts.refuse need not see the others. */
	bool alike;
	bool legacy;   /* pprof mends them as it reads them: handlers, and which mapping is first */
	bool comments; /* their lines of metadata are what pprof prints as comments */
	bool epochs;   /* what they started with is an epoch */
	bool platform; /* only those of one platform, which they name, are merged */
	bool dialects; /* those with a version are of a dialect, which AS_FEWER_FORMATS has not */
	/* Pure; must accept everything that read accepts. NULL: cannot be read. */
	enum as_probe (*probe)(const struct as_peek *pk);
	/* By as_format_read(). Bytes to builder. AS_OK also for salvaged input: then
	 * prof->partial is set and a finding says why. Failure leaves the builder's contents
	 * undefined. */
	enum as_code (*read)(struct as_rd *rd);
	/* By as_format_write(). The same profile gives the same bytes. NULL: cannot be written. */
	enum as_code (*write)(struct as_wr *wr, const struct as_profile *prof);
	/* Of an input that is written in N sections, of which FIRST is the first: which have
	 * something that CHOICE may ask for, to WANTED. Without the others it is a profile, too,
	 * and WHOLE says what all samples cost. False: that cannot be told, or no memory. NULL:
	 * it never can. */
	bool (*sections)(const struct as_alloc *al, struct as_slice first,
		const struct as_rd_choice *choice, bool *wanted, size_t n);
	/* What `pprof -raw` prints of the input; nothing is built, but the builder is there for
	 * scratch. NULL: pprof does not read the format. */
	enum as_code (*raw)(struct as_rd *rd, struct as_out *out);
	/* How many files the profile needs, 0 if out of memory; NULL: one. NAME gets a file
	 * name of a piece, without directory. */
	uint32_t (*pieces)(const struct as_profile *prof);
	void (*piece_name)(const struct as_profile *prof, uint32_t piece, char *name, size_t size);
	/* Rules beyond what reading enforces; adds findings, never fails. May be NULL. */
	void (*check)(struct as_rd *rd, const struct as_profile *prof);
	const struct as_opt *read_opts, *write_opts; /* ended by key == NULL; may be NULL */
};

/* What a format can carry: X(ID, kind, words). */
#define AS_CAPS(X)                                                                               \
	X(PATHS, "paths", "call path{|s}")                                                       \
	X(CALLS, "calls", "call edge{|s}")                                                       \
	X(COUNTS, "call-counts", "call count{|s}")                                               \
	X(FUNCS, "functions", "function name{|s}")                                               \
	X(FILES, "files", "source file{|s}")                                                     \
	X(LINES, "lines", "row{'s line number|s' line numbers}")                                 \
	X(ADDRS, "addresses", "row{'s address|s' addresses}")                                    \
	X(OBJECTS, "objects", "object{|s}")                                                      \
	X(IDS, "build-ids", "build id{|s}")                                                      \
	X(MAPS, "mappings", "mapping{|s}")                                                       \
	X(EVENTS, "events", "event{|s} beyond the first")                                        \
	X(PERIOD, "period", "sampling period{|s}")                                               \
	X(TITLES, "event-titles", "long name{ of an event|s of events}")                         \
	X(FORMULAS, "formulas", "derived event{|s}")                                             \
	X(PARTS, "parts", "part{|s} beyond the first")                                           \
	X(PROCESS, "process",                                                                    \
		"command {line or process or thread id|lines, process and thread ids}")          \
	X(JUMPS, "jumps", "jump{|s}")                                                            \
	X(NEGATIVE, "negative", "negative cost{|s}")                                             \
	X(SUMMARY, "summary", "declared {summary or total|summaries and totals}")                \
	X(META, "metadata", "line{|s} of metadata")                                              \
	X(NOSTACK, "no-stack", "sample{|s} without a stack")                                     \
	X(EPOCH, "epoch", "start time{|s}")                                                      \
	X(LABELS, "labels", "label{|s}")                                                         \
	X(SYSTEM, "linkage-names", "linkage name{|s}")                                           \
	X(STARTS, "start-lines", "start line{ of a function|s of functions}")                    \
	X(COLUMNS, "columns", "column{|s}")                                                      \
	X(DURATION, "duration", "duration{|s}")                                                  \
	X(CONTEXTS, "contexts", "context{|s} of functions (f'2, f'main), whose cost is f's now") \
	X(UNNAMED, "event-names", "event{|s} without a name, which {was|were} given one")        \
	X(MOMENTS, "moments", "time stamp{|s}")                                                  \
	X(MARKERS, "markers", "record{|s} of markers")                                           \
	X(ESTIMATES, "estimates", "mark{|s} that an event is an estimate")

enum {
#define X(id, kind, text) AS_CAPBIT_##id,
	AS_CAPS(X)
#undef X
		AS_CAP_COUNT
};
#define AS_CAP(id) (UINT64_C(1) << AS_CAPBIT_##id)

const char *as_cap_kind(unsigned bit);
const char *as_cap_words(unsigned bit);

/* How much of each capability in WANTED (AS_CAP bits) PROF makes use of: AMOUNT[AS_CAPBIT_*],
 * 0 = none. Others may be left 0. False if out of memory. */
AS_NODISCARD bool as_profile_uses(
	const struct as_profile *prof, uint64_t wanted, uint64_t amount[AS_CAP_COUNT]);

/* Add what PROF uses and FMT cannot carry to L. Metadata are not lost when PROF was read from
 * FMT itself. */
AS_NODISCARD bool as_losses_by_caps(
	struct as_losses *l, const struct as_profile *prof, const struct as_format *fmt);

/* ---- the registry ---- */
extern const struct as_format *const as_formats[]; /* sorted by name, ended by NULL */
/* What they read and write by: with memory that goes at once, RD's and WR's AL. */
enum as_code as_format_read(const struct as_format *fmt, struct as_rd *rd) AS_NODISCARD;
enum as_code as_format_write(
	const struct as_format *fmt, struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;
const struct as_format *as_format_by_name(struct as_slice name); /* NULL if there is none */
/* That which PROF was read from; one that has nothing if it was built, or merged from several. */
const struct as_format *as_format_of(const struct as_profile *prof);
/* Whether FMT lists EXT ("prof"). */
bool as_format_has_ext(const struct as_format *fmt, struct as_slice ext);
/* The first format that can be written and lists an extension of the name; NULL if none. */
const struct as_format *as_format_by_ext(struct as_slice file_name);

/*
 * Decide what PK is. On AS_OK *OUT is the format. AS_E_NOTPROFILE: ERR says what it looks like
 * ("an ELF shared object", "perf.data", "text"). AS_E_UNSUPPORTED: two formats tie, ERR names
 * both. NAME breaks ties by its extension; may be "".
 */
enum as_code as_probe_formats(const struct as_peek *pk, const char *name,
	const struct as_format **out, struct as_err *err) AS_NODISCARD;

/* ---- helpers for readers ---- */
/* A new part, named after the input, of a profile that comes from FORMAT. */
enum as_code as_rd_part(struct as_rd *rd, const char *format, uint32_t *part) AS_NODISCARD;
/* Fail at the cursor's place (offset, and line for text formats when LINE != 0). */
enum as_code as_rd_fail(struct as_rd *rd, enum as_code code, uint64_t off, uint64_t line,
	const char *fmt, ...) AS_PRINTF(5, 6);
/* Add a finding; in strict mode an ERROR one also fails: return what this returns. */
enum as_code as_rd_find(struct as_rd *rd, enum as_finding_id id, uint64_t off, uint64_t line,
	const char *fmt, ...) AS_PRINTF(5, 6);
/* The same of the whole input, if SO: a plain text. */
enum as_code as_rd_find_if(struct as_rd *rd, bool so, enum as_finding_id id, const char *text);
/* The same of N of what WORDS say, as as_arena_plural() has them: "12 records are lost" by "record{
 * is|s are} lost". Of none nothing is said. */
enum as_code as_rd_tell(struct as_rd *rd, enum as_finding_id id, uint64_t n, const char *words);
struct as_rd_told {
	enum as_finding_id id;
	uint64_t n;
	const char *words;
};
enum as_code as_rd_tell_all(struct as_rd *rd, const struct as_rd_told *told, size_t n);
/* Whether to give stacks instead of paths: where code has no names, or each stack comes whole. */
static inline bool as_rd_takes_stacks(const struct as_rd *rd)
{
	return AS_HAS_STACKS && rd->sums && rd->stacks && !rd->out->keep_moments;
}
/* Mark the profile as salvaged. */
static inline void as_rd_partial(struct as_rd *rd)
{
	rd->out->prof->partial = true;
}

/* The address of PLACE, or that of its function; 0 = unknown. */
static inline uint64_t as_place_addr(const struct as_profile *prof, as_place place)
{
	uint64_t addr = prof->place.addr.p[place.i];

	return addr ? addr : prof->func.addr.p[prof->place.func.p[place.i].i];
}

/* The address of a row of FUNC at ADDR: it may be in the name of code without one. False if
 * unknown; address 0 is one, in an object whose code is known by nothing but addresses. */
static inline bool as_row_addr(
	const struct as_profile *prof, as_func func, uint64_t addr, uint64_t *out)
{
	bool nameless = func.i && !prof->func.name.p[func.i].i;

	*out = addr || !nameless ? addr : prof->func.addr.p[func.i];
	return *out || (nameless && prof->func.object.p[func.i].i);
}

/* The event of PROF that has its markers, if it says when these were. */
AS_NODISCARD bool as_has_markers(const struct as_profile *prof, uint32_t *event);

/* The last component of a path. */
struct as_slice as_base_name(struct as_slice path);

#endif
