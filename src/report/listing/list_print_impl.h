/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the listing share; private to src/report.
 *
 *	list_text.c	   `assay list` for people
 *	list_columns.c  the numbers at the left of both
 *	asm_text.c	   `assay asm` for people
 *	asm_view.c	   instructions of the object and rows of the profile side by side
 *	asm_arrows.c	   jumps, drawn
 *	list_data.c	   both for programs
 */
#ifndef AS_REPORT_LISTING_LIST_PRINT_IMPL_H
#define AS_REPORT_LISTING_LIST_PRINT_IMPL_H

#include "report/listing/list_print.h"

/* ---- numbers at the left: self and inclusive of the first event, self of the others ---- */
struct as_list_columns {
	const struct as_list_print *p;
	const struct as_listing *l; /* whose rows they are */
	struct as_arena *arena;     /* knows whether all texts were made */
	bool has_incl;
	uint32_t n;      /* events shown, the first of p->opts->event */
	unsigned *width; /* of self; then of the inclusive cost of the first */
	as_val most;     /* the largest self cost of a row, of the first event */
};
AS_NODISCARD bool as_list_columns_init(struct as_list_columns *c, const struct as_list_print *p,
	const struct as_listing *l, struct as_arena *arena);
void as_list_columns_head(const struct as_list_columns *c);
/* n_events values each; NULL: nothing is known, and stays blank. Zero is a dot. */
void as_list_columns_put(const struct as_list_columns *c, const as_val *self, const as_val *incl);
/* Width of all columns. */
unsigned as_list_columns_width(const struct as_list_columns *c);
/* How hot V is among the rows. */
enum as_paint as_list_heat(const struct as_list_columns *c, const as_val *self);

/* ---- texts ---- */
void as_list_pad(struct as_out *out, size_t n);
void as_list_put(const struct as_list_print *p, enum as_paint paint, struct as_slice s);
/* S with tabs as blanks and without what would move the cursor. */
struct as_slice as_list_source_text(struct as_arena *ar, struct as_slice s);
/* Name, files, costs of the function: what stands above its rows. */
void as_list_heading(
	const struct as_list_print *p, const struct as_listing *l, struct as_arena *ar, size_t i);
/* NAME in what a line of a terminal has left beside OTHERS columns. */
struct as_slice as_list_name(
	const struct as_list_print *p, struct as_arena *ar, struct as_slice name, size_t others);
/* Rows of calls below a line; INDENT blanks stand before their text. */
void as_list_calls(const struct as_list_columns *c, const struct as_list_row *row, unsigned indent);

/* ---- instructions and rows side by side ---- */
struct as_asm_entry {
	uint64_t addr;
	const struct as_code_insn *insn; /* NULL: the object is not there */
	uint32_t row;                    /* of the listing + 1; 0 = no cost */
};
struct as_asm_view {
	const struct as_profile *prof;
	const struct as_listing *l;
	struct as_arena *ar;        /* borrowed */
	struct as_asm_entry *entry; /* by address */
	size_t n;
};
AS_NODISCARD bool as_asm_view_init(
	struct as_asm_view *v, const struct as_list_item *item, struct as_arena *ar);
/* The entry at ADDR; false: there is none. */
bool as_asm_view_find(const struct as_asm_view *v, uint64_t addr, size_t *at);

/* "call 1234 <g+0x2>": with where it leads to, if that is another function, or it is a call. */
struct as_slice as_asm_insn_text(const struct as_asm_view *v, const struct as_code_insn *insn,
	const struct as_list_print *p);

/* Where an instruction comes from; empty and 0: not known. */
struct as_asm_place {
	struct as_slice func, path;
	as_file file; /* of the profile; has_file: it is one of its files */
	bool has_file;
	uint64_t line;
};
struct as_asm_place as_asm_place_of(const struct as_asm_view *v, size_t at);

/* ---- jumps ---- */
enum { AS_ARROWS_MAX = 10 };
struct as_arrow {
	uint64_t from; /* entries */
	uint32_t to;
};
struct as_arrows {
	const struct as_alloc *al;
	AS_VEC(struct as_arrow) arrow; /* in the order of FROM */
	struct as_arrow_lane {
		uint32_t to;        /* all arrows that lead there */
		uint32_t low, high; /* entries that the line reaches */
		unsigned lane;      /* from the inside, from 0 */
	} * group;
	size_t n_groups;
	unsigned n_lanes;
	uint64_t n_left_out; /* groups for which there was no room */
};
/* The jumps of the profile, or of the instructions where the profile has none. */
AS_NODISCARD bool as_arrows_collect(struct as_arrows *a, const struct as_asm_view *v);
/* Find a place for each among N entries. */
AS_NODISCARD bool as_arrows_arrange(struct as_arrows *a, size_t n, struct as_arena *ar);
void as_arrows_release(struct as_arrows *a);
/* The gutter of entry AT: as_arrows_width() columns. */
void as_arrows_put(const struct as_arrows *a, uint32_t at, bool utf8, struct as_out *out);
unsigned as_arrows_width(const struct as_arrows *a);

#endif
