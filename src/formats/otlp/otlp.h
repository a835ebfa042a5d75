/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenTelemetry's profiles (OTLP). docs/formats/otlp.md. Private to src/formats/otlp.
 *
 *	otlp.c		the driver's table and probe
 *	otlp_schema.c	messages and fields, by number and by name
 *	otlp_field.c	the next field of a message: protocol buffers or JSON
 *	otlp_layout.c	which version a message of protocol buffers is of
 *	otlp_read.c	carriers, messages, resources and profiles
 *	otlp_tables.c	mappings, locations, functions, stacks, attributes
 *	otlp_places.c	locations to places, stacks to lists of places
 *	otlp_value.c	values of attributes
 *	otlp_samples.c	samples, and the labels that they have in common
 *	otlp_build.c	parts, nodes and samples of the profile
 *	otlp_write.c	resources, profiles and samples
 *	otlp_write_tables.c	the dictionary
 *	otlp_write_attrs.c	attributes, and what becomes one
 *	otlp_put.c	fields to protocol buffers or JSON
 */
#ifndef AS_FORMATS_OTLP_OTLP_H
#define AS_FORMATS_OTLP_OTLP_H

#include "base/pb.h"
#include "base/pull.h"
#include "formats/format.h"
#include "formats/otlp/otlp_schema.h"

/* Keys of attributes that are facts of the model. */
#define AS_OTLP_ID_GNU "process.executable.build_id.gnu"
#define AS_OTLP_ID_GO "process.executable.build_id.go"
#define AS_OTLP_ID_HTL "process.executable.build_id.htlhash"
#define AS_OTLP_PID "process.pid"
#define AS_OTLP_COMMAND "process.command_line"
#define AS_OTLP_TID "thread.id"
#define AS_OTLP_THREAD "thread.name"
#define AS_OTLP_PART "assay.part.number" /* ours */
#define AS_OTLP_TRACE "trace_id"
#define AS_OTLP_SPAN "span_id"
#define AS_OTLP_FOLDED "pprof.location.is_folded"
#define AS_OTLP_COMMENT "pprof.profile.comment"
#define AS_OTLP_HAS "pprof.mapping.has_" /* functions, filenames, line_numbers, inline_frames */
#define AS_OTLP_DEFAULT "pprof.scope.default_sample_type"
/* Ours, of a location: how many bytes behind the beginning of its function it is. */
#define AS_OTLP_BEHIND "assay.location.behind"
/* Ours, of a mapping: addresses in it are virtual. */
#define AS_OTLP_VIRTUAL "assay.mapping.virtual"

/* What lines of metadata begin with that are attributes of the resource, or of a profile; and the
 * beginning of the id of an object that has no better one. */
#define AS_OTLP_META_RESOURCE "resource."
#define AS_OTLP_META_PROFILE "profile."
#define AS_OTLP_META_NUMBER " (number)" /* behind a key: it is one */
#define AS_OTLP_META_PERIOD "period"
#define AS_OTLP_META_PERIOD_TYPE "period_type"
#define AS_OTLP_META_PERIOD_UNIT "period_unit"
#define AS_OTLP_META_COMMENT "comment"
#define AS_OTLP_HTL "htl:"

enum as_probe as_otlp_probe(const struct as_peek *pk);
enum as_code as_otlp_read_file(struct as_rd *rd) AS_NODISCARD;
enum as_code as_otlp_write_file(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;
enum as_code as_otlp_write_json(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;

/* ---- reading: fields ---- */

struct as_otlp_read;

/* What is left of a message. Each is by itself: its bytes are all of it. */
struct as_otlp_cur {
	struct as_otlp_read *r;
	enum as_otlp_msg msg;
	uint64_t n; /* its number among its like, from 1; 0 = there is but one */
	const struct as_otlp_cur *up;
	const struct as_otlp_def *list; /* the field of which more may follow */
	struct as_pb_cur pb, packed;
	bool fixed; /* they are, not varints */
	struct as_pull js;
	bool in_array;
};

struct as_otlp_field {
	uint8_t id; /* enum as_otlp_id */
	enum as_otlp_msg sub;
	uint64_t v;           /* of numbers; of a real number in JSON, and of others, TEXT */
	struct as_slice text; /* of texts and bytes; of a message all of it */
	bool cut;             /* the input ends in it */
	const char *at;
};

void as_otlp_begin(struct as_otlp_read *r, struct as_otlp_cur *cur, enum as_otlp_msg msg,
	struct as_slice bytes);
/* The message that F of UP is. */
void as_otlp_enter(struct as_otlp_cur *cur, const struct as_otlp_cur *up,
	const struct as_otlp_field *f, uint64_t n);
/* The next field, a list value by value; AS_END behind the last. */
enum as_code as_otlp_next(struct as_otlp_cur *cur, struct as_otlp_field *f) AS_NODISCARD;

/* One more of a packed list of numbers: for those that are long. */
static inline bool as_otlp_more(struct as_otlp_cur *cur, struct as_otlp_field *f)
{
	return cur->packed.p < cur->packed.end && !cur->fixed &&
	       as_pb_varint(&cur->packed.p, cur->packed.end, &f->v);
}

/* ---- reading: tables ---- */

struct as_otlp_list {
	uint32_t first, n; /* in as_otlp_tables.index */
};

struct as_otlp_map {
	uint64_t start, limit, offset, file;
	struct as_otlp_list attrs;
	uint32_t has;
	as_str path, id;
	bool is_virtual;
	as_object object, absolute; /* those of its addresses; 0 = none yet */
};

struct as_otlp_loc {
	uint32_t map;      /* + 1; 0 = none */
	uint32_t first, n; /* lines */
	struct as_otlp_list attrs;
	uint64_t addr, behind;
	uint32_t place;  /* its first in as_otlp_read.place; 0 = none yet */
	uint32_t places; /* as many */
	bool folded;
};

struct as_otlp_line {
	uint64_t func, line, column;
};

struct as_otlp_func {
	uint64_t name, system, file, start;
	uint32_t object; /* + 1: that FUNC is of */
	as_func func;
};

struct as_otlp_attr {
	struct as_slice key;   /* p == NULL: KEY_INDEX says it */
	struct as_slice value; /* an AnyValue */
	uint64_t key_index, unit;
	bool done;
	struct as_label label; /* its key is "" where the attribute says nothing */
};

struct as_otlp_link {
	struct as_slice trace, span; /* empty or hexadecimal */
	as_str trace_str, span_str;
	bool done;
};

/* Locations, the innermost first: packed numbers of the input, or in as_otlp_tables.index. */
struct as_otlp_stack {
	uint64_t packed : 1, first : 63;
	uint32_t n;
	uint32_t stack; /* + 1: in as_otlp_read.stack; 0 = not asked for yet */
};

struct as_otlp_tables {
	AS_VEC(struct as_slice) str;
	AS_VEC(uint32_t) str_of; /* handle + 1; 0 = not asked for yet */
	AS_VEC(struct as_otlp_map) map;
	AS_VEC(struct as_otlp_loc) loc;
	AS_VEC(uint32_t) word; /* what stands for each in stacks; 0: not made yet, or several do */
	AS_VEC(struct as_otlp_line) line;
	AS_VEC(struct as_otlp_func) func;
	AS_VEC(struct as_otlp_attr) attr;
	AS_VEC(struct as_otlp_link) link;
	AS_VEC(struct as_otlp_stack) stack;
	AS_VEC(uint32_t) index;
	AS_VEC(struct as_otlp_list) unit; /* 1.7: string of a key, string of its unit */
	struct as_index stacks;           /* before 1.8: of ranges of locations */
};

/* ---- reading: what becomes the profile ---- */

struct as_otlp_resource {
	uint32_t first, n; /* labels */
	as_str scope;      /* "name version" */
	uint32_t part;
};

/* The labels of samples: of the resource, and these. */
struct as_otlp_set {
	uint32_t resource;
	uint32_t first, n; /* labels */
	uint32_t part;
	uint64_t message; /* whose tables ATTRS and LINK are rows of */
	uint64_t link;
	struct as_otlp_list attrs; /* in as_otlp_read.attr */
};

struct as_otlp_event {
	as_str name, unit;
	uint32_t event; /* of the profile */
	uint64_t period;
	as_str period_type, period_unit;
	bool seen, differs;
};

struct as_otlp_row {
	uint32_t stack, set, event;
	int64_t value;
};

/* When VALUE of a sample was counted, on the clock of the file. */
struct as_otlp_moment {
	uint32_t stack, set, event;
	int64_t value;
	uint64_t time;
};

/* A profile of a message, as long as it is read. */
struct as_otlp_profile {
	AS_VEC(struct as_slice) type; /* messages; more than one only before 1.8 */
	AS_VEC(uint32_t) event;       /* of each type: as_otlp_read.event */
	uint64_t n_samples, time, duration, period;
	struct as_slice period_type;         /* likewise a message; p == NULL: none */
	struct as_otlp_list locations;       /* before 1.8 */
	struct as_otlp_list comments, attrs; /* rows of strings and attributes */
	struct as_slice id, format;
	size_t payload; /* bytes */
};

struct as_otlp_object {
	as_str path, id;
	enum as_addr_kind kind;
	uint64_t start, limit, offset; /* of code without path and id */
	as_object object;
};

struct as_otlp_read {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_arena arena;
	const char *base, *end; /* of the input */
	bool json, may_be_cut, cut;
	enum as_otlp_layout layout;
	bool layout_known;
	struct as_otlp_numbers numbers;
	uint64_t message; /* number, from 1; of the tables, rather */
	struct as_otlp_tables t;
	AS_VEC(as_place) place; /* of locations, the outermost first; element 0 unused */
	AS_VEC(uint32_t) file_of;
	AS_VEC(struct as_otlp_object) object;
	struct as_index objects, maps, sets, resources;
	bool nameless;          /* code without a name is on a stack */
	AS_VEC(uint32_t) word;  /* of all stacks: places + 1, the outermost first; 0 ends each */
	AS_VEC(uint32_t) stack; /* where each begins, or, of those of the last tables: its row */
	size_t n_settled;       /* those before them */
	AS_VEC(uint32_t) locs;  /* scratch: of a stack */
	AS_VEC(struct as_label) label;
	AS_VEC(uint32_t) attr;
	AS_VEC(struct as_otlp_resource) resource;
	AS_VEC(struct as_otlp_set) set;
	AS_VEC(struct as_otlp_event) event;
	AS_VEC(struct as_otlp_row) row;
	AS_VEC(struct as_label) scratch;
	AS_VEC(uint32_t) attrs; /* scratch: of a sample */
	AS_VEC(int64_t) values; /* likewise */
	AS_VEC(uint64_t) times; /* likewise, if moments are asked for */
	AS_VEC(struct as_otlp_moment) moment;
	AS_VEC(uint64_t) unknown; /* fields that were told already */
	uint64_t n_samples, n_kept, n_times, n_profiles, dropped, lost_attrs;
	uint64_t start, stop;         /* of all profiles, nanoseconds; START 0 = not known */
	AS_VEC(struct as_label) meta; /* lines of metadata of profiles: key and text */
	struct as_slice profile_id;
	bool ids_differ, own_tables;
	as_str default_type;
};

/* Fail at AT, a place in the input, or add a finding; "profile 1, sample 17: TEXT". */
enum as_code as_otlp_fail(const struct as_otlp_cur *cur, enum as_code code, const char *at,
	const char *fmt, ...) AS_PRINTF(4, 5) AS_NODISCARD;
enum as_code as_otlp_find(const struct as_otlp_cur *cur, enum as_finding_id id, const char *fmt,
	...) AS_PRINTF(3, 4) AS_NODISCARD;

static inline enum as_code as_otlp_memory(const struct as_otlp_read *r, bool ok)
{
	return as_err_memory(r->rd->err, ok);
}

/* Which layout the message BYTES has. */
enum as_code as_otlp_find_layout(struct as_otlp_read *r, struct as_slice bytes) AS_NODISCARD;
void as_otlp_set_layout(struct as_otlp_read *r, enum as_otlp_layout layout);
/* Whether what begins like BYTES is a message of protocol buffers of these. */
enum as_probe as_otlp_looks(struct as_slice bytes);
/* ALL from its '{' on, if it is JSON; empty if not. */
struct as_slice as_otlp_json_text(struct as_slice all);
/* Whether ALL is what the probe takes for one of these. */
bool as_otlp_is_one(struct as_slice all);

/* Tables: begin anew; F of CUR is a row of one, or *IS is false; all rows are there. */
enum as_code as_otlp_tables_clear(struct as_otlp_read *r) AS_NODISCARD;
enum as_code as_otlp_table(struct as_otlp_cur *cur, const struct as_otlp_field *f, bool *is)
	AS_NODISCARD;
enum as_code as_otlp_tables_done(struct as_otlp_read *r, const struct as_otlp_cur *cur)
	AS_NODISCARD;
/* A list of row numbers behind those that are there: one more, or several. */
enum as_code as_otlp_index(
	struct as_otlp_cur *cur, struct as_otlp_field *f, struct as_otlp_list *list) AS_NODISCARD;
/* An id of bytes in hexadecimal; of zeros alone it is empty. */
enum as_code as_otlp_hex(struct as_otlp_read *r, struct as_slice s, struct as_slice *out)
	AS_NODISCARD;
/* String I of the table, and as one of the profile's. */
enum as_code as_otlp_text(struct as_otlp_read *r, uint64_t i, const struct as_otlp_cur *cur,
	struct as_slice *out) AS_NODISCARD;
enum as_code as_otlp_str(struct as_otlp_read *r, uint64_t i, const struct as_otlp_cur *cur,
	as_str *out) AS_NODISCARD;
/* Row I of the attributes as a label; its key is "" if there is none. */
enum as_code as_otlp_attr(struct as_otlp_read *r, uint64_t i, const struct as_otlp_cur *cur,
	const struct as_label **out) AS_NODISCARD;
/* The attribute that F of CUR is, a KeyValue. */
enum as_code as_otlp_key_value(
	struct as_otlp_cur *cur, const struct as_otlp_field *f, struct as_label *out) AS_NODISCARD;
/* AnyValue BYTES, of the attribute CUR: text, number, unit. */
enum as_code as_otlp_value(struct as_otlp_read *r, struct as_slice bytes,
	const struct as_otlp_cur *cur, struct as_label *out) AS_NODISCARD;

/* Stack I of the table, in r->stack. */
enum as_code as_otlp_put_stack(struct as_otlp_read *r, uint64_t i, const struct as_otlp_cur *cur,
	uint32_t *out) AS_NODISCARD;
/* The words of all stacks, before their tables go; and of stack I, which is none of the settled
 * ones, behind all others. */
enum as_code as_otlp_settle_stacks(struct as_otlp_read *r) AS_NODISCARD;
enum as_code as_otlp_stack_words(struct as_otlp_read *r, uint32_t i) AS_NODISCARD;
/* The object of M, of addresses that MAP leads to a place in its file, or that none does. */
enum as_code as_otlp_put_map(struct as_otlp_read *r, struct as_otlp_map *m, bool absolute)
	AS_NODISCARD;

/* The samples of a profile CUR, which has RESOURCE. */
enum as_code as_otlp_sample(struct as_otlp_cur *cur, const struct as_otlp_field *f,
	struct as_otlp_profile *p, uint32_t resource) AS_NODISCARD;
/* All that was read, to the builder. */
enum as_code as_otlp_build(struct as_otlp_read *r) AS_NODISCARD;

#endif
