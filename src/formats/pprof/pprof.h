/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pprof's profile.proto. docs/formats/pprof.md. Private to src/formats/pprof.
 *
 *	pprof.c		the driver's table and probe
 *	pprof_read.c	the message as a whole: one pass that leaves the samples where they are
 *	pprof_tables.c	mappings, functions and locations, once all of them are there
 *	pprof_samples.c	samples and labels
 *	pprof_order.c	stacks, brought into order, to the tree of paths
 *	pprof_raw.c	what `pprof -raw` prints
 *	pprof_sums.c	stacks to sums of functions
 *	pprof_stacks.c	stacks, each kept once, that will become such sums
 *	pprof_moments.c	when samples were counted, and the parts that they are of
 *	pprof_choice.c	samples that nobody asks for
 *	pprof_sections.c	files of which no more is read than the samples that are asked for
 *	pprof_write.c	putting messages together
 *	pprof_write_rows.c	rows of self cost as paths of one frame each
 *	pprof_write_bare.c	those of which nothing but addresses is known
 *	pprof_write_sections.c	the order of such files
 *	pprof_write_needs.c	which section of them what stands in
 *	pprof_whole.c	times, period and comments to write
 */
#ifndef AS_FORMATS_PPROF_PPROF_H
#define AS_FORMATS_PPROF_PPROF_H

#include "base/date.h"
#include "base/pb.h"
#include "formats/format.h"
#include "formats/run_lines.h"
#include "model/sums.h"

/* Fields, by their numbers in profile.proto. Four are ours, which others skip: the first field of
 * a file says how many bytes behind it are all but samples, locations and functions; what all
 * samples add up to, a value for each type; when they were counted; and what stands together. */
enum {
	PB_SAMPLE_TYPE = 1,
	PB_SAMPLE,
	PB_MAPPING,
	PB_LOCATION,
	PB_FUNCTION,
	PB_STRING_TABLE,
	PB_DROP_FRAMES,
	PB_KEEP_FRAMES,
	PB_TIME_NANOS,
	PB_DURATION_NANOS,
	PB_PERIOD_TYPE,
	PB_PERIOD,
	PB_COMMENT,
	PB_DEFAULT_SAMPLE_TYPE,
	PB_DOC_URL,
	PB_OWN_FRONT = 1501,
	PB_OWN_TOTAL,
	PB_OWN_MOMENTS,
	PB_OWN_SECTION,
};
/* Of a section its samples, what they add up to, the mappings that they end in, the sections of
 * tables that it needs, the one behind the front being 1; and how many strings it has. */
enum { PB_SECTION_SAMPLES = 1, PB_SECTION_TOTAL, PB_SECTION_MAP, PB_SECTION_TABLE, PB_SECTION_STR };
enum { PB_VALUE_TYPE = 1, PB_VALUE_UNIT };
/* Where there are moments a sample names its part, by a field of ours. */
enum {
	PB_SAMPLE_LOCATION = 1,
	PB_SAMPLE_VALUE,
	PB_SAMPLE_LABEL,
	PB_SAMPLE_OWN_PART = 1501,
};
enum { PB_LABEL_KEY = 1, PB_LABEL_STR, PB_LABEL_NUM, PB_LABEL_UNIT };
enum {
	PB_MAP_ID = 1,
	PB_MAP_START,
	PB_MAP_LIMIT,
	PB_MAP_OFFSET,
	PB_MAP_FILE,
	PB_MAP_BUILD,
	PB_MAP_HAS, /* four flags, in the order of AS_MAP_HAS_* */
	PB_MAP_HAS_LAST = 10,
};
/* A function without a name that begins at a known place is code without a name to other readers;
 * a field of ours says how many bytes behind its beginning the location is, and one more. */
enum {
	PB_LOC_ID = 1,
	PB_LOC_MAP,
	PB_LOC_ADDR,
	PB_LOC_LINE,
	PB_LOC_FOLDED,
	PB_LOC_OWN_BEHIND = 1501
};
/* A function has one file. A line of code that stands in another one (a header, a grammar) has the
 * number 0 for other readers, and these fields of ours, which they skip: string, and number. */
enum { PB_LINE_FUNC = 1, PB_LINE_LINE, PB_LINE_COLUMN, PB_LINE_OWN_FILE = 1501, PB_LINE_OWN_LINE };
/* Of PB_OWN_MOMENTS: a number that tells it from what others may have there, the parts that samples
 * name, and all moments, packed. */
enum { PB_MOMENTS_MAGIC = 1, PB_MOMENTS_PART, PB_MOMENTS_TABLE, PB_MOMENTS_IS = 0x61737379 };
enum {
	PB_PART_NAME = 1,
	PB_PART_COMMAND,
	PB_PART_CREATOR,
	PB_PART_THREAD,
	PB_PART_PID,
	PB_PART_TID,
	PB_PART_NUMBER,
};
/*
 * A moment is kept as what differs from the one before it: of MOMENT_* a byte that says what
 * follows, nanoseconds after the one before, and of these what is there. A value that is left out
 * is the last one of its type.
 */
enum {
	PB_MOMENT_TYPE = 2,      /* varint */
	PB_MOMENT_SAMPLE = 4,    /* its number in the file: zigzag difference */
	PB_MOMENT_VALUE = 8,     /* zigzag */
	PB_MOMENT_DURATION = 16, /* varint */
	PB_MOMENT_PASSED = 32,   /* the duration is the value */
};
enum { PB_FUNC_ID = 1, PB_FUNC_NAME, PB_FUNC_SYSTEM, PB_FUNC_FILE, PB_FUNC_START };

/* Keys of the lines of metadata that fields without a place in the model become. */
#define AS_PB_META_COMMENT "comment"
#define AS_PB_META_DOC_URL "doc_url"
#define AS_PB_META_DROP "drop_frames"
#define AS_PB_META_KEEP "keep_frames"
#define AS_PB_META_DEFAULT "default_sample_type"
#define AS_PB_META_PERIOD "period"
#define AS_PB_META_PERIOD_TYPE "period_type"
#define AS_PB_META_PERIOD_UNIT "period_unit"
#define AS_PB_META_FIELDS "pprof_fields" /* fields of the profile that nobody knows, as bytes */

/* A comment of ours: the object's addresses are virtual, not offsets in its file. */
#define AS_PB_VIRTUAL "assay: virtual addresses: "

enum as_probe as_pb_probe(const struct as_peek *pk);
enum as_code as_pb_read_file(struct as_rd *rd) AS_NODISCARD;
enum as_code as_pb_raw_file(struct as_rd *rd, struct as_out *out) AS_NODISCARD;
enum as_code as_pb_write_file(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;

/* ---- reading ---- */

struct as_pb_id {
	uint64_t id, off; /* and where its message stands */
};

/* Rows by the ids that the file gives them: directly where ids are dense, else hashed. */
struct as_pb_ids {
	AS_VEC(struct as_pb_id) id; /* of each row */
	uint32_t *row;              /* + 1, by id; 0 = none */
	size_t n;                   /* ids below it are in ROW; the others are hashed */
	struct as_index index;
};

struct as_pb_map {
	uint64_t start, limit, offset;
	uint64_t file, build; /* strings */
	uint32_t has;
	as_str path, build_id, extra;
	bool left_out;    /* no location that is read is in its file */
	bool absolute;    /* an address in it could not be told by its place in the file */
	as_object object; /* one of its own if ABSOLUTE */
};

struct as_pb_func {
	uint64_t name, system, file, start;
	as_str extra;
	uint32_t object; /* + 1: that FUNC is of; 0 = none yet */
	as_func func;
};

struct as_pb_line {
	uint64_t func, line, column;
	uint64_t file; /* string: where LINE is, 0 = in the function's file */
	as_str extra;
};

struct as_pb_loc {
	uint64_t map, addr;
	uint64_t behind;   /* + 1: bytes behind the beginning of its function; 0 = nobody says */
	uint32_t first, n; /* lines */
	uint32_t place;    /* its first in places, as many as lines, at least one; 0 = none yet */
	as_str extra;
	bool folded;
};

/* Samples that stand one behind the other, tags and lengths included. */
struct as_pb_stretch {
	struct as_pb_cur bytes;
	uint64_t first; /* number of the first one, from 0 */
};

struct as_pb_stretches {
	AS_VEC(struct as_pb_stretch) row;
};

/* Where a message stands in the input, 0: there is none of that id, or it has been read; and its
 * row, + 1. */
struct as_pb_some_row {
	uint32_t at, row;
};

/* Messages by their ids, for who needs few of them. */
struct as_pb_some {
	struct as_pb_some_row *row;
	size_t n;
};

struct as_pb_type {
	uint64_t type, unit;
};

/* Places that stand for a location, or several: as_pb_read.place[first ..]. Where no stacks are
 * made, FIRST is the place itself if it is alone. */
struct as_pb_class {
	uint32_t first, n;
};

/* The types that a kind of prof->stacks is of, AS_STACK_NO_EVENT: none. */
struct as_pb_kind {
	uint32_t value, times;
};

/* The labels of samples, from the first of them on to the end of the last, and the part that they
 * are. */
struct as_pb_labels {
	struct as_slice bytes;
	size_t first; /* bytes of the first one */
	uint32_t part;
};

/* Samples that stand one behind the other. */
struct as_pb_section {
	uint64_t n;
	struct as_pb_cur total; /* a value for each type */
};

/* What samples become. */
enum as_pb_into { AS_PB_INTO_PATHS, AS_PB_INTO_SUMS, AS_PB_INTO_STACKS };

struct as_pb_read {
	struct as_rd *rd;
	struct as_out *raw; /* the file is printed there, nothing is built; NULL: it is built */
	const struct as_alloc *al;
	const uint8_t *base;
	AS_VEC(struct as_slice) str;
	AS_VEC(uint32_t) str_of;  /* handle + 1; 0 = not asked for yet */
	AS_VEC(uint32_t) file_of; /* of each of the profile's strings, likewise */
	AS_VEC(struct as_pb_type) type;
	AS_VEC(uint32_t) event; /* of each type */
	struct as_pb_stretches stretch;
	uint64_t n_samples, n_kept; /* messages; those that are well-formed */
	AS_VEC(struct as_pb_map) map;
	AS_VEC(struct as_pb_func) func;
	AS_VEC(struct as_pb_loc) loc;
	AS_VEC(struct as_pb_line) line;
	AS_VEC(as_place) place; /* the outermost first, element 0 unused; for sums, functions */
	struct as_pb_ids maps, funcs, locs;
	AS_VEC(uint64_t) comment;
	uint64_t drop, keep, url, default_type;
	int64_t time, duration, period;
	bool has_time, types_again; /* types: behind samples and strings */
	bool empty_again;           /* a string behind the first is empty */
	struct as_pb_type period_type;
	AS_VEC(char) fields; /* of the profile, unknown */
	AS_VEC(char) extra;  /* scratch: of the message that is being read */
	/* samples */
	AS_VEC(uint32_t) stack; /* scratch: rows of locations + 2, leaf first; 1 = it is missing */
	AS_VEC(struct as_pb_cur) label;
	AS_VEC(struct as_pb_labels) seen; /* one for each text of labels */
	struct as_index seens;
	AS_VEC(struct as_label) set;
	AS_VEC(uint32_t) id;    /* all stacks, root first: rows + 2 and then classes; 0 = the end */
	AS_VEC(uint32_t) first; /* of each sample: where its stack begins */
	AS_VEC(uint32_t) part;  /* of each sample */
	AS_VEC(int64_t) values; /* as many for each as there are types */
	AS_VEC(struct as_pb_class) class;
	as_val *cost; /* as many as events */
	/* when samples were counted; moments.p == NULL: the file does not say */
	struct as_pb_cur moments, table;
	AS_VEC(uint32_t) own;  /* the parts that samples name */
	uint32_t own_part;     /* scratch: that of the sample */
	AS_VEC(uint32_t) node; /* of each sample */
	enum as_pb_into into;
	struct as_sums sums;
	AS_VEC(struct as_pb_kind) kind;
	AS_VEC(as_place) path; /* scratch: of the sample, the outermost first */
	/* what is asked for: 0 = not known yet */
	AS_VEC(uint8_t) map_choice;  /* of samples in each mapping, behind those in none */
	AS_VEC(uint8_t) part_choice; /* likewise of each part */
	as_val *whole;               /* of all samples, as many as events; NULL: nobody asks */
	bool has_front;
	const uint8_t *front_end;
	AS_VEC(int64_t) front_total;       /* what it says that they cost */
	AS_VEC(struct as_pb_cur) sections; /* what it says of them */
	AS_VEC(struct as_pb_section) section;
	uint32_t *map_section; /* of each mapping, behind that of none: its section + 1 */
	uint32_t now;          /* the section of the sample, + 1; 0 = before the first */
	uint64_t left;         /* of its samples */
	as_val *now_total;     /* of those before, as many as types */
	/* locations that are read if samples have them, and functions if these have them */
	struct as_pb_stretches some;
	struct as_pb_some some_loc, some_func;
	bool some_odd;     /* these are not of our writer: all are read */
	bool sections_lie; /* that was told */
};

/* "sample 17", "location 3, line 2": WHAT and its number from 1 (0 = there is but one), inside
 * of UP. */
struct as_pb_at {
	const char *what;
	uint64_t n;
	const struct as_pb_at *up;
};

/* Fail at P, or add a finding: the text follows the path of AT. */
enum as_code as_pb_fail(const struct as_pb_read *r, enum as_code code, const uint8_t *p,
	const struct as_pb_at *at, const char *fmt, ...) AS_PRINTF(5, 6) AS_NODISCARD;
enum as_code as_pb_find(const struct as_pb_read *r, enum as_finding_id id, uint64_t off,
	const struct as_pb_at *at, const char *fmt, ...) AS_PRINTF(5, 6) AS_NODISCARD;

/* The next field of the message that AT names; AS_END at its end. */
enum as_code as_pb_get(const struct as_pb_read *r, struct as_pb_cur *cur, struct as_pb_field *f,
	const struct as_pb_at *at) AS_NODISCARD;
/* F is a number, or it is an error. */
enum as_code as_pb_number(const struct as_pb_read *r, const struct as_pb_field *f,
	const struct as_pb_at *at, uint64_t *v) AS_NODISCARD;
/* F is a message, a text or a packed list, or it is an error. */
enum as_code as_pb_is_bytes(const struct as_pb_read *r, const struct as_pb_field *f,
	const struct as_pb_at *at) AS_NODISCARD;
/* Keep F, which nobody knows, in r->extra; and what it holds by now as one text, emptied. */
enum as_code as_pb_keep(struct as_pb_read *r, const struct as_pb_cur *cur,
	const struct as_pb_field *f) AS_NODISCARD;
enum as_code as_pb_kept(struct as_pb_read *r, as_str *out) AS_NODISCARD;

/* How many strings stand at CUR that are neither long nor empty, MOST at the most; and N of
 * them to TO. */
size_t as_pb_count_strings(const struct as_pb_cur *cur, size_t most);
void as_pb_take_strings(struct as_pb_cur *cur, size_t n, struct as_slice *to);
/* The fields 1 to N of a message of numbers, to V[1] .. V[N]; others are kept. */
enum as_code as_pb_numbers(struct as_pb_read *r, struct as_pb_cur msg, const struct as_pb_at *at,
	uint64_t *v, uint32_t n) AS_NODISCARD;
/* String I of the table as one of the profile's. */
enum as_code as_pb_str(struct as_pb_read *r, uint64_t i, const struct as_pb_at *at, uint64_t off,
	as_str *out) AS_NODISCARD;

/* The row of ID + 1, or 0. */
static inline uint32_t as_pb_row(const struct as_pb_ids *ids, uint64_t id)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t row;

	if (AS_LIKELY(id < ids->n))
		return ids->row[id];
	while (as_index_find(&ids->index, as_hash_mix(id, 1), &pos, &row))
		if (ids->id.p[row].id == id)
			return row + 1;
	return 0;
}

enum as_code as_pb_read_map(struct as_pb_read *r, struct as_pb_cur msg) AS_NODISCARD;
enum as_code as_pb_read_func(struct as_pb_read *r, struct as_pb_cur msg) AS_NODISCARD;
enum as_code as_pb_read_loc(struct as_pb_read *r, struct as_pb_cur msg) AS_NODISCARD;
/* All of them are there: number them by id and name the mappings; and make mappings and objects. */
enum as_code as_pb_number_tables(struct as_pb_read *r) AS_NODISCARD;
enum as_code as_pb_tables(struct as_pb_read *r) AS_NODISCARD;
/* The places of location ROW behind those of others: as many as lines, the outermost first. */
enum as_code as_pb_make_places(struct as_pb_read *r, uint32_t row) AS_NODISCARD;
enum as_code as_pb_samples(struct as_pb_read *r) AS_NODISCARD;
/* All of the profile to r->raw; and one after the other its samples, each by way of the scratch
 * of R. */
enum as_code as_pb_raw(struct as_pb_read *r) AS_NODISCARD;
enum as_code as_pb_show_samples(struct as_pb_read *r) AS_NODISCARD;
enum as_code as_pb_raw_sample(struct as_pb_read *r, uint64_t number) AS_NODISCARD;
/* From stacks to the tree of paths. */
enum as_code as_pb_paths(struct as_pb_read *r) AS_NODISCARD;
/* What all samples cost, those that are left out, too: compared with what the front says, or from
 * it if there are none. */
enum as_code as_pb_begin_choice(struct as_pb_read *r) AS_NODISCARD;
enum as_code as_pb_end_choice(struct as_pb_read *r) AS_NODISCARD;
/* Whether code may be asked for in the mapping of row MAP + 1, 0 for none, and at the location with
 * the id LEAF; and whether PART may. */
bool as_pb_wants_map(struct as_pb_read *r, uint64_t map);
bool as_pb_wants_code(struct as_pb_read *r, uint64_t leaf);
enum as_code as_pb_wants_part(struct as_pb_read *r, uint32_t part, bool *wants) AS_NODISCARD;
/* F is one of our fields, of the profile. */
enum as_code as_pb_read_front(struct as_pb_read *r, const struct as_pb_cur *all,
	const struct as_pb_field *f) AS_NODISCARD;
/* F is our field of moments; it is kept for when all strings are there. */
bool as_pb_is_moments(struct as_pb_read *r, const struct as_pb_field *f);
/* Before samples, and behind them. */
enum as_code as_pb_begin_moments(struct as_pb_read *r) AS_NODISCARD;
enum as_code as_pb_end_moments(struct as_pb_read *r) AS_NODISCARD;
/* Whether the samples need not be more than added up; then each of them is, with its number. */
bool as_pb_sums_will_do(const struct as_pb_read *r);
enum as_code as_pb_begin_sums(struct as_pb_read *r) AS_NODISCARD;
enum as_code as_pb_add_sums(struct as_pb_read *r, uint64_t path) AS_NODISCARD;
/* The same of stacks: *WILL_DO, and then each sample. */
enum as_code as_pb_begin_stacks(struct as_pb_read *r, bool *will_do) AS_NODISCARD;
enum as_code as_pb_add_stack(struct as_pb_read *r) AS_NODISCARD;

#endif
