/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings of Java Flight Recorder. docs/formats/jfr.md. Private to src/formats/jfr.
 *
 *	jfr.c		the driver's table and probe
 *	jfr_read.c	a file: chunk after chunk, and what they have in common
 *	jfr_chunk.c	a chunk: its header, its events one after the other, what can be saved
 *	jfr_meta.c	what types there are, and how many bytes a value of one takes
 *	jfr_wire.c	texts
 *	jfr_consts.c	values that events name by keys
 *	jfr_plan.c	which fields of which events are looked at
 *	jfr_tally.c	events, counted by type, stack, thread and state
 *	jfr_stacks.c	stacks and methods
 *	jfr_facts.c	what is no cost: settings, the process, what was lost
 *	jfr_events.c	costs to samples of the profile, once all chunks are read
 *
 * Nothing is known before the types of a chunk are, which stand anywhere in it, and stacks may
 * stand behind the events that name them: a chunk stands in memory as a whole. Its events are
 * counted by the keys that they name; what these keys mean is asked once for each, at the end.
 */
#ifndef AS_FORMATS_JFR_JFR_H
#define AS_FORMATS_JFR_JFR_H

#include "base/pool.h"
#include "formats/format.h"
#include "formats/jfr/jfr_wire.h"

enum { JFR_HEADER = 68, JFR_MAGIC = 4, JFR_WEIGHTS = 8, JFR_HOT = 1 << 14, JFR_CLASSES = 1 << 28 };

#define AS_JFR_MAGIC "FLR\0"
#define AS_JFR_TRUNCATED "[truncated]"

/* ---- types ---- */

enum as_jfr_form {
	JFR_FORM_STRUCT,
	JFR_FORM_BOOLEAN,
	JFR_FORM_BYTE,
	JFR_FORM_CHAR,
	JFR_FORM_SHORT,
	JFR_FORM_INT,
	JFR_FORM_LONG,
	JFR_FORM_FLOAT,
	JFR_FORM_DOUBLE,
	JFR_FORM_TEXT,
};

enum as_jfr_unit {
	JFR_UNIT_NONE,
	JFR_UNIT_BYTES,
	JFR_UNIT_BITS,
	JFR_UNIT_NANOS,
	JFR_UNIT_MICROS,
	JFR_UNIT_MILLIS,
	JFR_UNIT_SECONDS,
	JFR_UNIT_TICKS,
};

/* Names of fields that mean something here: X(ID, name). */
#define AS_JFR_WORDS(X)                    \
	X(AMOUNT, "amount")                \
	X(ARGUMENTS, "javaArguments")      \
	X(DESCRIPTION, "description")      \
	X(DESCRIPTOR, "descriptor")        \
	X(DURATION, "duration")            \
	X(EVENT_THREAD, "eventThread")     \
	X(FRAMES, "frames")                \
	X(ID, "id")                        \
	X(JAVA_NAME, "javaName")           \
	X(LINE, "lineNumber")              \
	X(LOST, "lostSamples")             \
	X(METHOD, "method")                \
	X(NAME, "name")                    \
	X(OS_NAME, "osName")               \
	X(OS_THREAD, "osThreadId")         \
	X(PID, "pid")                      \
	X(SAMPLED_THREAD, "sampledThread") \
	X(STACK, "stackTrace")             \
	X(START, "startTime")              \
	X(STATE, "state")                  \
	X(TRUNCATED, "truncated")          \
	X(TYPE, "type")                    \
	X(VALUE, "value")                  \
	X(VIRTUAL, "virtual")

enum as_jfr_word {
	JFR_W_OTHER,
#define X(id, name) JFR_W_##id,
	AS_JFR_WORDS(X)
#undef X
};

struct as_jfr_field {
	struct as_slice name;
	uint64_t class_id;
	uint32_t class; /* row */
	enum as_jfr_word word;
	enum as_jfr_unit unit;
	bool pool, array; /* a key of the class's pool; several of them */
	bool is_unsigned;
};

struct as_jfr_class {
	uint64_t id;
	struct as_slice name;
	uint32_t first, n; /* fields; those that take no bytes are left out */
	enum as_jfr_form form;
	uint32_t least;   /* bytes of a value, at the least */
	uint32_t numbers; /* that a value is, as long as they need; 0: it has other things */
	uint8_t state;    /* while LEAST is being found */
	bool bad;         /* a class is not known, or it holds itself: values cannot be read */
	uint32_t plan;    /* + 1, of an event that is looked at */
};

/* What a value was taken for; a file may name one of a class for several. */
enum as_jfr_use {
	JFR_USE_NONE,
	JFR_USE_STACK,
	JFR_USE_METHOD,
	JFR_USE_FRAME_TYPE,
	JFR_USE_THREAD,
	JFR_USE_STATE,
};

/* A value in a pool. */
struct as_jfr_const {
	uint64_t key;
	const uint8_t *p;
	uint32_t class : 28, use : 4;
	uint32_t made; /* what was made of it for that use: a row of the profile's, or of a table */
};

/* Whether what was made of HAVE for USE is there. */
static inline bool as_jfr_made(const struct as_jfr_const *have, enum as_jfr_use use, uint32_t *made)
{
	*made = have->made;
	return have->use == use;
}

static inline void as_jfr_make(struct as_jfr_const *have, enum as_jfr_use use, uint32_t made)
{
	have->use = use & 0xf;
	have->made = made;
}

/* ---- events ---- */

/* A type of events over all chunks, by its name. */
struct as_jfr_kind {
	struct as_slice name;
	uint32_t rank; /* lower ones come first; JFR_RANK_OTHER: nothing is known of it */
	bool any_stack, is_marker;
	uint32_t n; /* weights, besides the count */
	struct {
		struct as_slice name;
		enum as_jfr_unit unit; /* none, bytes, bits or nanoseconds */
		bool any;              /* it is not 0 throughout; else it is no event */
		uint32_t event;        /* of the profile */
	} weight[JFR_WEIGHTS];
	uint32_t event; /* the count's */
};

enum { JFR_RANK_OTHER = 1000 };

enum as_jfr_op {
	JFR_OP_SKIP,
	JFR_OP_START,
	JFR_OP_STACK,
	JFR_OP_THREAD,
	JFR_OP_STATE,
	JFR_OP_WEIGHT
};

struct as_jfr_step {
	enum as_jfr_op op;
	uint32_t field; /* row */
	uint32_t weight;
};

enum as_jfr_fact {
	JFR_FACT_NONE,
	JFR_FACT_SETTING,
	JFR_FACT_JVM,
	JFR_FACT_LOST_BYTES,
	JFR_FACT_LOST_SAMPLES,
	JFR_FACT_MARKER
};

/* What is done with the events of a type of the chunk. */
struct as_jfr_plan {
	uint32_t class;
	enum as_jfr_fact fact;
	uint32_t kind; /* unless it is a fact, and no marker */
	uint32_t first_step, n_steps;
	uint32_t stack, thread, state; /* rows of classes; UINT32_MAX = there is no such field */
	bool has_start;
	uint32_t duration; /* the weight that is it; UINT32_MAX = none */
};

/* Events of the chunk that are alike. */
struct as_jfr_tally {
	uint32_t plan;
	uint64_t stack, thread, state; /* keys */
	uint64_t count;
	uint64_t moments; /* what they are when they are told one by one */
	size_t first;     /* of its weights */
};

/* Frames from FIRST on. */
struct as_jfr_stack {
	size_t first;
	uint32_t n;
};

/* Of all chunks: costs of a kind. */
struct as_jfr_row {
	uint32_t kind;
	uint32_t part;      /* once that is known to be needed */
	as_node node;       /* where sums will do, the row of a stack */
	as_str comm, state; /* of the thread; "" = not known */
	uint64_t tid;       /* 0 = not known */
	uint64_t count, moments;
	size_t first;
	uint32_t n; /* weights */
};

/* An event of a row. */
struct as_jfr_moment {
	size_t row, first; /* and its weights */
	int64_t time;      /* nanoseconds since 1970 */
	uint64_t duration; /* nanoseconds */
};

/* A setting of the recording, of an event type; the last value holds. */
struct as_jfr_setting {
	as_str type, name, value;
};

/* What a thread is called, as rows have it. */
struct as_jfr_thread {
	as_str comm;
	uint64_t tid;
};

/* Where a frame led to not long ago. */
struct as_jfr_hot {
	uint64_t method, type, line;
	uint32_t class; /* of the frame, + 1; 0 = nothing yet */
	as_place place;
};

struct as_jfr_read {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_arena arena;
	uint32_t n_chunks;
	uint32_t part;
	bool has_start;
	int64_t start, end; /* of all chunks, nanoseconds since 1970 */
	AS_VEC(struct as_jfr_kind) kind;
	/* Of the chunk that is read: the next one has their memory. */
	AS_VEC(struct as_jfr_const) cons;
	AS_VEC(struct as_jfr_tally) tally;
	AS_VEC(as_val) tally_value;
	AS_VEC(struct as_jfr_row) row;
	AS_VEC(as_val) value; /* of rows */
	/* Where sums will do: stacks, the first is none, and their frames, the root first. */
	AS_VEC(struct as_jfr_stack) stack;
	AS_VEC(as_place) frame;
	/* Where they are asked for, and the weights of each. */
	AS_VEC(struct as_jfr_moment) moment;
	AS_VEC(as_val) moment_value;
	AS_VEC(struct as_jfr_setting) setting;
	bool has_pid;
	uint64_t pid;
	as_str command;
	as_place truncated;
	uint64_t n_truncated, truncated_off;
	as_val lost_bytes, lost_samples;
	uint64_t lost_off;
};

struct as_jfr_chunk {
	struct as_jfr_read *r;
	struct as_pool pool;
	const struct as_alloc *al;
	struct as_arena arena; /* texts that the file has in other encodings */
	const uint8_t *base, *end;
	uint64_t off; /* of BASE, in the file */

	/* its header */
	uint16_t major, minor;
	uint64_t size, checkpoint, meta, start_ticks, ticks_per_second;
	int64_t start, duration;
	uint8_t generation;
	bool fixed, odd_ticks;
	bool cut; /* it ends somewhere: that was told */

	AS_VEC(struct as_slice) str;
	AS_VEC(struct as_jfr_class) class;
	AS_VEC(struct as_jfr_field) field;
	AS_VEC(struct as_jfr_plan) plan;
	AS_VEC(struct as_jfr_step) step;
	AS_VEC(struct as_jfr_cur) fact; /* bodies of events that tell one, */
	AS_VEC(uint32_t) fact_plan;     /* and their plans */
	AS_VEC(as_place) stack;         /* scratch, the leaf first */
	/* The stack that was looked at last, the root first, and its nodes. */
	AS_VEC(as_place) before;
	AS_VEC(as_node) node;
	AS_VEC(struct as_jfr_thread) thread; /* those that were asked for */
	struct as_jfr_hot *hot;              /* JFR_HOT of them, once there are stacks */
	struct as_index classes, consts, tallies;
	uint32_t text_class; /* row of java.lang.String; UINT32_MAX = there is none */
};

static inline uint64_t as_jfr_off(const struct as_jfr_chunk *c, const uint8_t *p)
{
	return c->off + (uint64_t)(p - c->base);
}

/* A cursor from P to the end of the chunk. */
static inline struct as_jfr_cur as_jfr_at(const struct as_jfr_chunk *c, const uint8_t *p)
{
	return (struct as_jfr_cur){p, c->end, c->fixed};
}

/* Calls that read bytes return AS_E_FORMAT where these are wrong, without a message: whoever calls
 * knows what that costs, and tells it. Other codes are final. */

/* The types that the metadata event at P describes, instead of any that are
 * there: jfr_meta.c. */
enum as_code as_jfr_read_meta(struct as_jfr_chunk *c, const uint8_t *p) AS_NODISCARD;
/* UINT32_MAX: there is none. */
uint32_t as_jfr_class_row(const struct as_jfr_chunk *c, uint64_t id);
bool as_jfr_skip_value(const struct as_jfr_chunk *c, struct as_jfr_cur *cur, uint32_t class);
bool as_jfr_skip_field(
	const struct as_jfr_chunk *c, struct as_jfr_cur *cur, const struct as_jfr_field *f);

/* The text at CUR, moved over; p == NULL for null: jfr_wire.c. */
enum as_code as_jfr_text(struct as_jfr_chunk *c, struct as_jfr_cur *cur, struct as_slice *text)
	AS_NODISCARD;

/* The pools of the checkpoint at P, whose values hold from now on: jfr_consts.c. */
enum as_code as_jfr_read_checkpoint(struct as_jfr_chunk *c, struct as_jfr_cur body) AS_NODISCARD;
/* NULL: there is none. Its row may be added to by no call but as_jfr_read_checkpoint(). */
struct as_jfr_const *as_jfr_find_const(struct as_jfr_chunk *c, uint32_t class, uint64_t key);
/* The same; that there is none is a finding, but for key 0, which is null where no pool has it. */
enum as_code as_jfr_want_const(struct as_jfr_chunk *c, uint32_t class, uint64_t key,
	struct as_jfr_const **out) AS_NODISCARD;

/* What was asked of a value: fields by their words. */
struct as_jfr_got {
	enum as_jfr_word word;
	bool is_text;
	uint64_t number; /* or the key */
	uint32_t class;  /* of the field; UINT32_MAX: it has no such field */
	struct as_slice text;
};
/* N fields of the value at CUR, whose class is ROW: jfr_consts.c. */
enum as_code as_jfr_gather(struct as_jfr_chunk *c, uint32_t row, struct as_jfr_cur cur,
	struct as_jfr_got *got, size_t n) AS_NODISCARD;
/* The text that a value of CLASS is: of its first field, if it is no text itself. */
enum as_code as_jfr_value_text(struct as_jfr_chunk *c, uint32_t class, struct as_jfr_cur cur,
	struct as_slice *text) AS_NODISCARD;

/* Which events are looked at: jfr_plan.c. */
enum as_code as_jfr_make_plans(struct as_jfr_chunk *c) AS_NODISCARD;
/* The field that kinds of RANK are about; NULL: they are counted. */
const char *as_jfr_first_weight(uint32_t rank);

/* An event whose fields are in BODY; jfr_tally.c. */
enum as_code as_jfr_count_event(struct as_jfr_chunk *c, uint32_t plan, struct as_jfr_cur body)
	AS_NODISCARD;
/* All events are counted: to the rows of the file. */
enum as_code as_jfr_put_tallies(struct as_jfr_chunk *c) AS_NODISCARD;
/* BODY, of markers: where somebody asks for these it becomes a row. */
enum as_code as_jfr_put_marker(struct as_jfr_chunk *c, const struct as_jfr_plan *plan,
	struct as_jfr_cur body) AS_NODISCARD;

/* jfr_stacks.c: the node of a stack, or its row; the root for null, or what cannot be read. */
enum as_code as_jfr_node(struct as_jfr_chunk *c, uint32_t class, uint64_t key, as_node *node)
	AS_NODISCARD;

/* jfr_facts.c: an event that tells one; and all of them, once the texts are known. */
enum as_code as_jfr_keep_fact(struct as_jfr_chunk *c, uint32_t plan, struct as_jfr_cur body)
	AS_NODISCARD;
enum as_code as_jfr_put_facts(struct as_jfr_chunk *c) AS_NODISCARD;
/* Those of all chunks. */
enum as_code as_jfr_tell_facts(struct as_jfr_read *r) AS_NODISCARD;

/* The events of the profile, and its samples: jfr_events.c. */
enum as_code as_jfr_put_samples(struct as_jfr_read *r) AS_NODISCARD;

/* jfr_chunk.c: the chunk that the input begins with, moved over. AS_END: none, which was told. */
enum as_code as_jfr_read_chunk(struct as_jfr_read *r) AS_NODISCARD;

enum as_code as_jfr_read_file(struct as_rd *rd) AS_NODISCARD;

#endif
