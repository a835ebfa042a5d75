/* SPDX-License-Identifier: Apache-2.0 */
/* Maps that bpftrace counted by stacks: docs/formats/bpftrace.md. */
#ifndef AS_FORMATS_BPFTRACE_H
#define AS_FORMATS_BPFTRACE_H

#include "formats/tally.h"

/* A frame as it stands in the file. Each comes again and again. */
struct bpftrace_text {
	struct as_slice text;
	as_place place;
	bool kernel; /* the kernel's code begins with it */
};

struct bpftrace {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_tally tally;
	uint64_t line;     /* of text; 0 in JSON */
	bool kernel_first; /* of two stacks, where that does not show */
	AS_VEC(struct bpftrace_text) text;
	struct as_index texts;

	/* the entry of a map that is being read */
	AS_VEC(uint32_t) stack; /* rows of text, the innermost of each stack first */
	AS_VEC(size_t) begin;   /* where each stack begins in it */
	bool in_stack;
	AS_VEC(char) key; /* what its keys say beside stacks */

	uint64_t n_entries, n_other, n_lost, n_guessed;
};

/* bpftrace_entry.c: an entry, a line of its keys after the other, then its value. */
void as_bpftrace_begin(struct bpftrace *bt);
enum as_code as_bpftrace_key_line(struct bpftrace *bt, struct as_slice line) AS_NODISCARD;
/* NAME is the map's, without its '@'. */
enum as_code as_bpftrace_count(struct bpftrace *bt, struct as_slice name, as_val count)
	AS_NODISCARD;
/* "0x7f770a6d44a3", "ffffffff813a2293 schedule+35", "main+251" */
void as_bpftrace_frame(struct as_slice text, struct as_slice *name, uint64_t *addr);
bool as_bpftrace_is_frame(struct as_slice line);

/* bpftrace_text.c, bpftrace_json.c */
enum as_code as_bpftrace_read_text(struct bpftrace *bt) AS_NODISCARD;
enum as_code as_bpftrace_read_json(struct bpftrace *bt) AS_NODISCARD;
/* LINE begins an entry of a map with keys: its name, and the rest. */
bool as_bpftrace_begins(struct as_slice line, struct as_slice *name, struct as_slice *rest);
bool as_bpftrace_is_json(struct as_slice head);

#endif
