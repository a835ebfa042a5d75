/* SPDX-License-Identifier: Apache-2.0 */
/* Text of `perf script`: what its files share. docs/formats/perfscript.md. */
#ifndef AS_FORMATS_PERFSCRIPT_H
#define AS_FORMATS_PERFSCRIPT_H

#include "formats/tally.h"
#include "perf/perf_off.h"

#define PS_NONE UINT32_MAX

/* ---- perfscript_head.c: the line that begins a sample (§2) ---- */

struct ps_head {
	struct as_slice comm;  /* of the thread */
	struct as_slice event; /* "" = the line does not say */
	struct as_slice rest;  /* behind the event: a frame, what a tracepoint says, or "" */
	uint32_t pid, tid, cpu;
	bool has_cpu, has_pid, has_tid, has_time, has_period;
	int64_t time; /* nanoseconds */
	uint64_t period;
	bool beyond; /* there is a period, of more than 64 bits */
};

#define PS_RECORD "PERF_RECORD_" /* in a line that is of another record */

/* What begins a header. */
#define PS_HEADER "# ========\n# captured on"
enum { PS_FACTS = 5 }; /* that it tells, and we keep */

/* What our writer says in comments below the first line of a block: the name of the thread, where
 * that line has another one; and below a frame "file.c:12". */
#define PS_THREAD "# thread: "
#define PS_SOURCE_MARK "#  "
/* Below the first line of a block that is not one sample at its time: "# samples: 35, sum". */
#define PS_SAMPLES "# samples: "
#define PS_SAMPLES_PERIOD "period" /* as many as the period says, which is no other weight */
#define PS_SAMPLES_SUM ", sum"     /* of several times */

/* False: LINE begins no sample. */
bool as_ps_head(struct as_slice line, struct ps_head *out);

/* ---- perfscript_frame.c: a line of a call chain (§3) ---- */

struct ps_frame {
	uint64_t addr;
	struct as_slice name, object; /* "" = unknown */
	bool inlined;
};

bool as_ps_frame(struct as_slice line, struct ps_frame *out);
/* LINE is set off as frames are: by blanks, or by an address that begins it. */
bool as_ps_is_set_off(struct as_slice line);
/* LINE begins with an address as perf sets it, to the right of 16 columns: a frame, also where
 * nothing says that a sample begins. Tables of symbols are no chains. */
bool as_ps_is_column(struct as_slice line);
/* "file.c:12 (inlined)", the line below a frame that says where it stands. */
bool as_ps_source(struct as_slice line, struct as_slice *file, uint64_t *number, bool *inlined);
/* What was made by a virtual machine: "perf-123.map". */
bool as_ps_is_map(struct as_slice object);
/* "a->b->c" of such code: b is inlined into a, c into b. Takes the first one off REST. */
bool as_ps_cut_arrow(struct as_slice *rest, struct as_slice *name);

/* ---- the reader ---- */

enum ps_kind {
	PS_FRAME,  /* of a chain */
	PS_MOVED,  /* of a sample without one: its address is not that of the file */
	PS_SOURCE, /* where the frame above it stands in the source */
};

/* A line as it stands in the file, and what it has become. */
struct ps_text {
	struct as_slice text; /* without blanks around it */
	enum ps_kind kind;
	struct ps_frame frame;
	struct as_slice file; /* if it is a line of the source below a frame */
	uint64_t number;
};

/* A line that is to be read, where it is likely to be a frame. */
struct ps_line {
	struct as_slice text, bare; /* without blanks around it */
	uint64_t hash;
};

/* What of it is looked at for each line. */
struct ps_key {
	const char *p;
	size_t len;
	uint32_t first, n; /* its places, the outer one first; n = 0: not made yet */
	uint8_t kind;
	bool inlined;
};

/* A frame of a chain that the source or the frames around it make special. */
struct ps_odd {
	uint32_t text, source, below; /* rows of text; PS_NONE */
	as_place place;
};

/* Chains are compared as bytes: there are none between these. */
struct ps_link {
	uint32_t text, source; /* rows of text; PS_NONE */
	uint32_t inlined;      /* 1: it is */
};

/* A chain that was there, with its event. */
struct ps_stack {
	size_t first, path; /* in as_ps.link, in as_ps.path */
	uint32_t n, n_path;
	uint32_t event;
	as_node node;         /* where there are paths */
	as_val weight, count; /* where there are stacks instead */
};

struct ps_name {
	uint32_t thread;
	struct as_slice name;
};

/* What samples of an event say of threads that do not run; see perfscript_switch.c. */
enum ps_role { PS_COUNTS, PS_LEAVES, PS_SWITCHES, PS_WAKES, PS_OFF };

/* Of the sample that is being read: what its tracepoint says. */
struct ps_switch {
	bool told;
	uint32_t prev, next; /* threads; PREV is the one that is woken, too */
	enum as_off_state state;
};

struct ps_event {
	struct as_slice name;
	enum ps_role role;
	uint32_t weight, samples; /* the tally's; PS_NONE: no sample had one yet */
};

struct as_ps {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_arena arena;
	uint64_t line;     /* number of the line that is looked at */
	const char *base;  /* first byte of the window, */
	uint64_t base_off; /* and where it stands */

	AS_VEC(struct ps_text) text;
	AS_VEC(struct ps_key) key; /* of each */
	AS_VEC(struct ps_odd) odd;
	AS_VEC(as_place) place;
	AS_VEC(struct ps_event) event;
	AS_VEC(struct ps_stack) stack;
	AS_VEC(struct ps_link) link;
	AS_VEC(as_place) path; /* the outermost first */
	uint32_t deepest;      /* places of a stack */
	struct as_index texts, stacks, odds;
	struct as_tally tally;

	/* the sample that is being read */
	bool cut; /* the text does not end as samples do */
	bool open, single;
	bool counted;        /* its period is how many samples it is */
	uint64_t stands_for; /* samples */
	struct ps_head head; /* without its texts */
	uint32_t of_thread, of_event;
	AS_VEC(struct ps_link) chain; /* the innermost first */

	struct as_off off;
	struct ps_switch at;  /* of the sample that is being read */
	uint32_t off_event;   /* row of EVENT; PS_NONE: nothing tells of them yet */
	uint32_t off_unknown; /* row of STACK, of which nothing is known; PS_NONE */
	uint64_t n_switches;  /* records of them */
	bool off_sampled;     /* samples are of some switches only */

	uint64_t n_moments; /* of stacks: how many, and from when to when */
	int64_t begins, ends;
	uint64_t n_samples, n_records, n_skipped, n_lost, n_moved, n_bad;
	uint64_t tid_guessed;
	struct as_slice fact[PS_FACTS];
	AS_VEC(struct ps_name) name; /* of threads whose lines have another one */
};

/* perfscript_put.c: places and samples. */
enum as_code as_ps_intern(struct as_ps *ps, enum ps_kind kind, struct as_slice line, uint32_t *row)
	AS_NODISCARD;
/* N lines that are likely to be frames follow. */
void as_ps_expect(const struct as_ps *ps, struct ps_line *line, size_t n);
/* LINE, of those, was read as a frame before. */
bool as_ps_is_known(const struct as_ps *ps, const struct ps_line *line, struct ps_link *link);
/* The sample that is open is complete. */
enum as_code as_ps_end_sample(struct as_ps *ps) AS_NODISCARD;
/* The row of STACK of the chain, of event EVENT. */
enum as_code as_ps_stack(struct as_ps *ps, uint32_t event, uint32_t *row) AS_NODISCARD;
/* All have been read. */
enum as_code as_ps_put(struct as_ps *ps) AS_NODISCARD;
/* What the addresses of code in PATH are, and of what the periods of EVENT are. */
enum as_addr_kind as_ps_addr_kind(struct as_slice path);
const char *as_ps_unit(struct as_slice event);

/* perfscript_switch.c: threads that do not run. */
enum ps_role as_ps_role(struct as_slice event);
/* What stands behind the event of a line, if its event is of ROLE. */
void as_ps_switch_text(struct as_ps *ps, enum ps_role role, struct as_slice rest);
/* The sample that is open is complete, and its event is of such a ROLE. */
enum as_code as_ps_switch_sample(struct as_ps *ps, enum ps_role role) AS_NODISCARD;
/* A record in LINE, whose text is RECORD: of a switch, or of what else matters to threads. */
enum as_code as_ps_switch_record(struct as_ps *ps, struct as_slice line, struct as_slice record)
	AS_NODISCARD;

/* perfscript_read.c */
/* The row of EVENT of that name. */
enum as_code as_ps_event(struct as_ps *ps, struct as_slice name, uint32_t *row) AS_NODISCARD;
/* The word in a header for what our metadata has as KEY, and which it is; NULL: there is none. */
const char *as_ps_fact(struct as_slice key, size_t *fact);
enum as_code as_ps_read(struct as_rd *rd) AS_NODISCARD;

#endif
