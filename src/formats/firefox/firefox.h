/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles of the Firefox Profiler, "processed" and Gecko's raw ones: what the reader's files
 * share. docs/formats/firefox.md.
 *
 * All is columns of numbers that name rows of one another, in any order. They are kept as they
 * come, in four bytes a row as a rule, and become places, paths and samples when all are there.
 *
 *	firefox_columns.c	columns and tables
 *	firefox_thread.c	threads and their samples
 *	firefox_read.c		processes; what is told
 *	firefox_frames.c	frames become places
 *	firefox_location.c	the same of Gecko's, which are texts
 *	firefox_build.c		stacks become paths
 *	firefox_samples.c	samples are added up
 *	firefox_marker.c	markers
 */
#ifndef AS_FORMATS_FIREFOX_H
#define AS_FORMATS_FIREFOX_H

#include "formats/json_in.h"
#include "formats/tally.h"

#define FX_NONE AS_PULL_NULL_NUMBER /* no number */
#define FX_NO_ROW UINT32_MAX

/* What files of assay's have for a product, and behind the names of threads whose times are made
 * up. */
#define FX_PRODUCT "assay"
#define FX_AGGREGATED ", times made up"

/* ---- columns ---- */

/* Numbers, four bytes each until one does not fit. */
struct fx_col {
	AS_VEC(int32_t) few; /* INT32_MIN = none */
	AS_VEC(int64_t) wide;
	unsigned decimals; /* they are 10^decimals times what the file says */
};

static inline size_t as_fx_n(const struct fx_col *c)
{
	return c->wide.n ? c->wide.n : c->few.n;
}

static inline int64_t as_fx_at(const struct fx_col *c, size_t i)
{
	if (i < c->few.n)
		return c->few.p[i] == INT32_MIN ? FX_NONE : c->few.p[i];
	return i < c->wide.n ? c->wide.p[i] : FX_NONE;
}

/* The row that it names. */
static inline uint32_t as_fx_row(const struct fx_col *c, size_t i)
{
	int64_t v = as_fx_at(c, i);

	return v < 0 || v >= FX_NO_ROW ? FX_NO_ROW : (uint32_t)v;
}

enum fx_col_id {
	FX_STACK_FRAME,
	FX_STACK_PREFIX,
	FX_STACK_OFFSET, /* distance to the prefix; 0 = none */
	FX_FRAME_FUNC,
	FX_FRAME_ADDRESS,
	FX_FRAME_LINE,
	FX_FRAME_COLUMN,
	FX_FRAME_DEPTH, /* of inlined code */
	FX_FRAME_NATIVE,
	FX_FRAME_LIB,
	FX_FRAME_LOCATION, /* Gecko's: a text */
	FX_FRAME_ASSAY,    /* an address that is not from the beginning of the image */
	FX_FUNC_NAME,
	FX_FUNC_RESOURCE,
	FX_FUNC_SOURCE,
	FX_FUNC_FILE,
	FX_FUNC_LINE,
	FX_RESOURCE_LIB,
	FX_RESOURCE_NAME,
	FX_RESOURCE_TYPE,
	FX_NATIVE_LIB,
	FX_SOURCE_FILE,
	FX_N_TABLE_COLS
};

/* The tables that frames and stacks are in: of a thread, or shared. */
struct fx_tables {
	struct fx_col col[FX_N_TABLE_COLS];
	AS_VEC(struct as_slice) string;
	uint32_t process;
	/* as it is built: of each stack, as a caller and as a leaf, and of each frame, plain and
	 * inlined, or as a caller and as a leaf */
	bool built;
	uint8_t *used; /* of each stack: samples need it; NULL = not looked at yet */
	as_node *node, *leaf;
	as_place *place[2];
	as_val *sum;    /* of each stack, and behind them of what has none; all 0 between uses */
	uint32_t *open; /* of each string its last marker without an end, from 1; likewise */
};

/* What can be counted at stacks. */
enum fx_kind { FX_SAMPLES, FX_JS_ALLOCS, FX_NATIVE_ALLOCS, FX_N_KINDS };

struct fx_samples {
	struct fx_col stack, weight, cpu;
	AS_VEC(int64_t) time; /* nanoseconds, if moments are kept */
	size_t n_times;
	int64_t first, last; /* of them, if there are some */
	bool has_time, lacks_time;
	struct as_slice weight_type;
};

/* Times are nanoseconds. */
struct fx_markers {
	struct fx_col name, start, end, phase;
};

struct fx_thread {
	uint32_t process;
	struct as_slice name, process_name, pid, tid;
	struct as_slice event, unit; /* of the weights, in files that assay wrote */
	bool own, aggregated;        /* it is of such a file; and its times are made up */
	struct fx_tables *tables;    /* its own until all is read; NULL = it has none */
	struct fx_samples *samples[FX_N_KINDS]; /* NULL = it has none */
	struct fx_markers *markers;             /* likewise, and where nobody asks for them */
};

struct fx_lib {
	struct as_slice path, name, id;
	uint64_t start, end; /* where it is in memory, Gecko's; 0 = not said */
	enum as_addr_kind kind;
	uint32_t process;
	bool made;
	as_object object;
};

struct fx_process {
	struct fx_tables *shared; /* NULL = there are none */
	bool has_shared;          /* and they are whole */
	int64_t start;            /* nanoseconds since 1970 */
	int64_t begun, stopped;   /* of the profiling: nanoseconds from START on */
	uint32_t first_lib, n_libs;
	uint32_t *by_start, *by_name; /* its libraries in order; NULL = not looked at yet */
};

/* How much was odd. */
struct fx_odd {
	uint64_t first_cpu, rounded, number, row, uneven;
};

struct fx {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_json_in in;
	struct as_pull *js; /* of IN */
	AS_VEC(struct fx_process) process;
	AS_VEC(struct fx_thread) thread;
	AS_VEC(struct fx_lib) lib; /* process by process */
	struct as_tally tally;

	uint64_t version, gecko_version;
	bool has_version, times_are_no_times;
	int64_t cpu_scale; /* nanoseconds; 0 = cycles */
	struct as_slice product, imported, system, arch, cpu, arguments;

	uint64_t n_markers, n_counters, n_categories;
	struct fx_odd odd;
	bool again;       /* samples are gone through once more, for their moments */
	uint64_t bad_off; /* where the first value is that is no number */
};

/* ---- firefox_columns.c ---- */

/* A run of a column's numbers, as it is read: see as_fx_run(). */
struct fx_run {
	unsigned exponent, max; /* numbers are so many powers of ten larger; up to MAX if needed */
	size_t n;
	int64_t v[512]; /* FX_NONE = null, or no number */
};

/* The next of them; N = 0 at the end. */
enum as_code as_fx_run(struct fx *fx, struct fx_run *run) AS_NODISCARD;
/* Into the column, "weight": [...] or null. False: there is none. */
bool as_fx_is_column(struct fx *fx);
/* A column; its numbers have up to DECIMALS decimals. */
enum as_code as_fx_column(struct fx *fx, struct fx_col *col, unsigned decimals) AS_NODISCARD;
enum as_code as_fx_push(struct fx *fx, struct fx_col *col, int64_t v) AS_NODISCARD;
/* The value of KEY, if it is one of the tables, which *T has from then on; *DONE says so. */
enum as_code as_fx_table(struct fx *fx, struct fx_tables **t, uint32_t process, struct as_slice key,
	bool *done) AS_NODISCARD;

/* Gecko's rows, {"schema": {"stack": 0, ...}, "data": [[...], ...]}: PUT gets what stands in each
 * column of NAMES, N of them. */
struct fx_rows {
	const char *const *name;
	size_t n;
	unsigned decimals; /* of the numbers, which are so many powers of ten larger */
	enum as_code (*put)(struct fx *fx, void *ctx, const int64_t *v);
	void *ctx;
};
enum { FX_ROWS_MAX = 16 };
/* KEY and its value are of such a table; else *DONE is false. The reader is in the object. */
enum as_code as_fx_schema(struct fx *fx, int64_t *at, const struct fx_rows *rows) AS_NODISCARD;
enum as_code as_fx_rows(struct fx *fx, const int64_t *at, const struct fx_rows *rows) AS_NODISCARD;

/* A text, copied; "" of anything else. A number, as it stands there, is a text, too. */
enum as_code as_fx_text(struct fx *fx, struct as_slice *text) AS_NODISCARD;
/* A number times ten to the power EXPONENT; FX_NONE of anything else. */
enum as_code as_fx_number(struct fx *fx, int exponent, int64_t *v) AS_NODISCARD;
enum as_code as_fx_new_tables(struct fx *fx, uint32_t process, struct fx_tables **t) AS_NODISCARD;

/* ---- firefox_thread.c ---- */
enum as_code as_fx_threads(struct fx *fx, uint32_t process) AS_NODISCARD;

/* ---- firefox_marker.c ---- */

/* The markers of a thread, as they come next. */
enum as_code as_fx_markers(struct fx *fx, struct fx_markers **of) AS_NODISCARD;
/* They are added to thread TO of the tally, SHIFT nanoseconds later. */
enum as_code as_fx_put_markers(struct fx *fx, const struct fx_thread *t, uint32_t to, int64_t shift)
	AS_NODISCARD;

/* ---- firefox_frames.c, firefox_location.c ---- */

/* The place of FRAME. ALT: as inlined code; of Gecko's frames, as a leaf. */
enum as_code as_fx_place(
	struct fx *fx, struct fx_tables *t, uint32_t frame, bool alt, as_place *out) AS_NODISCARD;
struct as_slice as_fx_string(const struct fx_tables *t, int64_t row);
enum as_code as_fx_object(struct fx *fx, struct fx_lib *lib, as_object *out) AS_NODISCARD;
/* A frame of Gecko's, of which more may be said than its location does. */
struct fx_location {
	struct as_slice name, file, lib;
	uint64_t line, column, address;
	bool has_address;
};
void as_fx_location(struct as_slice text, struct fx_location *out);

/* ---- firefox_build.c, firefox_samples.c ---- */
enum as_code as_fx_build(struct fx *fx) AS_NODISCARD;
/* What was counted in all threads, whose stacks are built, becomes events, parts, samples and
 * moments. */
enum as_code as_fx_count(struct fx *fx) AS_NODISCARD;

/* ---- firefox_read.c ---- */
enum as_code as_fx_read(struct as_rd *rd) AS_NODISCARD;

#endif
