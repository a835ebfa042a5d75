/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope's files: what the driver's files share. docs/formats/speedscope.md. */
#ifndef AS_FORMATS_SPEEDSCOPE_H
#define AS_FORMATS_SPEEDSCOPE_H

#include "formats/json_in.h"
#include "formats/tally.h"

#define AS_SS_SCHEMA "https://www.speedscope.app/file-format-schema.json"
#define AS_SS_EVENT ", event: "
#define AS_SS_SAMPLES ", samples: "
#define AS_SS_AGGREGATED " (aggregated)"

/* ---- speedscope_name.c: what the name of a profile says (§4) ---- */

struct as_ss_name {
	struct as_slice thread, process, event, samples; /* "" = it does not say */
	uint32_t pid, tid;
	bool has_pid, has_tid;
};

void as_ss_name(struct as_slice text, struct as_ss_name *out);

/* ---- the reader ---- */

struct ss_node {
	uint32_t parent, frame;
};

/* The text of a stack, "[0,1,2]", and the node it ends at. */
struct ss_stack {
	struct as_slice text;
	uint32_t node;
};

struct ss_unit {
	const char *name;
	int exponent;      /* from it to the unit that we have, as a power of ten */
	const char *event; /* what it is called where the file does not say */
	const char *ours;  /* the unit that we have */
	bool time;
};

/* The profile of the file that is being read. */
struct ss_profile {
	struct as_slice name;
	struct as_slice start, end, weights,
		events;             /* as they stand in the file; p == NULL: not yet */
	const struct ss_unit *unit; /* NULL = not known yet */
	bool has_name, has_end, has_samples, has_weights, has_events, begun;
	int64_t time;     /* of the next sample, or of the last event */
	int64_t end_time; /* if HAS_END */
	uint32_t thread, weight, samples;
	bool counts; /* samples are an event of their own */

	AS_VEC(uint32_t) sample; /* nodes */
	AS_VEC(uint32_t) open;   /* nodes of the frames that are open, the outermost first */
	struct as_slice last;    /* text of a weight, and what it is */
	int64_t last_value;
	char last_text[32];
};

struct as_ss {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_json_in in;
	struct as_tally tally;

	AS_VEC(as_place) frame; /* of the file: what each is */
	AS_VEC(struct ss_node) node;
	AS_VEC(struct ss_stack) stack;
	struct as_index nodes, stacks;
	AS_VEC(struct as_slice) name; /* of profiles that do not say which thread they are of */

	bool has_frames;
	bool all_frames; /* and they are whole */
	uint32_t plain;  /* the event of weights without a unit; AS_TALLY_NONE */
	bool plain_odd;  /* one of them is not 1 */
	uint64_t n_profiles, n_rounded, n_range, n_negative, n_unweighted, n_late, n_unnested,
		n_open, n_unknown;
	struct as_slice exporter, title;

	struct ss_profile at;
};

/* speedscope_take.c: samples and events of the profile that is read. */
const struct ss_unit *as_ss_unit(struct as_slice name); /* NULL: there is no such unit */
/* What is known of the profile makes a thread and events. */
enum as_code as_ss_begin(struct as_ss *ss) AS_NODISCARD;
/* Lists of J: stacks, their weights, events. */
enum as_code as_ss_samples(struct as_ss *ss, struct as_pull *j) AS_NODISCARD;
enum as_code as_ss_weights(struct as_ss *ss, struct as_pull *j) AS_NODISCARD;
enum as_code as_ss_events(struct as_ss *ss, struct as_pull *j) AS_NODISCARD;
/* Frames that are open at the end of the profile are closed there. */
enum as_code as_ss_close(struct as_ss *ss) AS_NODISCARD;
/* TEXT, a number, in units of the profile. False: it is beyond 64 bits, and counted. */
bool as_ss_value(struct as_ss *ss, struct as_slice text, int64_t *v);

/* speedscope_put.c: frames, and what all of it adds up to. */
enum as_code as_ss_frames(struct as_ss *ss, struct as_pull *j) AS_NODISCARD;
enum as_code as_ss_put(struct as_ss *ss) AS_NODISCARD;

/* speedscope_read.c, speedscope_write.c */
enum as_code as_ss_read(struct as_rd *rd) AS_NODISCARD;
enum as_code as_ss_write(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;

#endif
