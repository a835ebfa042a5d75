/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DWARF 2 to 5, as far as names of code go: which functions and inlined calls an address is in,
 * and its file and line.
 *
 * The sections come from libelf. They are decoded here, not by libdw, because libdw answers for
 * one address at a time, is not safe for threads, and knows no .dwp; here a unit is gone through
 * once for all of its addresses, and what is read is never changed, so several threads may do it.
 *
 * Nothing in the sections is believed: reading goes through a cursor that stops at the end of its
 * section, and every loop that a damaged file could prolong spends from a budget.
 */
#ifndef AS_SYMBOLS_DWARF_DWARF_INFO_H
#define AS_SYMBOLS_DWARF_DWARF_INFO_H

#include "base/sort.h"
#include "symbols/dwarf/dwarf_cursor.h"
#include "symbols/symbols.h"

enum as_dw_section {
	AS_DW_INFO,
	AS_DW_ABBREV,
	AS_DW_STR,
	AS_DW_LINE_STR,
	AS_DW_STR_OFFSETS,
	AS_DW_ADDR,
	AS_DW_RANGES,
	AS_DW_RNGLISTS,
	AS_DW_LINE,
	AS_DW_ARANGES,
	AS_DW_CU_INDEX,
	AS_DW_N_SECTIONS
};
/* "info", "abbrev" ...: what follows ".debug_". */
extern const char *const as_dw_section_name[AS_DW_N_SECTIONS];

struct as_dw_bytes {
	const uint8_t *p;
	size_t n;
};

struct as_dw_range {
	uint64_t start, limit;
};

struct as_dw_unit;

/* The debug sections of one ELF file. */
struct as_dw_file {
	const struct as_alloc *al;
	struct as_dw_bytes sec[AS_DW_N_SECTIONS];
	size_t owned[AS_DW_N_SECTIONS]; /* bytes to free, of those that were decompressed */
	bool big;                       /* big-endian */
	const struct as_dw_file *alt;   /* dwz's common part, or NULL; not owned */
	AS_VEC(struct as_dw_unit) unit; /* by offset; the split ones of a .dwo too */
	bool damaged;
};

struct as_dw_unit {
	const struct as_dw_file *file;
	uint64_t off, die, end; /* in .debug_info: header, first entry, end */
	uint64_t abbrev_off;
	uint8_t version, addr_size, off_size, type;
	bool has_low, has_stmt, has_ranges;
	uint16_t lang;
	uint64_t low_pc, high_pc; /* high_pc 0: none; low_pc is the base of its ranges */
	uint64_t ranges;          /* value of DW_AT_ranges; its form: */
	uint16_t ranges_form;
	uint64_t stmt_list;
	uint64_t str_offsets_base, addr_base, rnglists_base, ranges_base;
	uint64_t line_off; /* of a split unit's part of .debug_line.dwo */
	uint64_t dwo_id;
	struct as_slice comp_dir, dwo_name;
	const struct as_dw_unit *skeleton; /* of a split unit */
	const struct as_dw_unit *split;    /* where a skeleton's entries are, or NULL */
};

/* The bytes of section S from OFF up to END; none where that is beyond the section. */
static inline struct as_dw_cur as_dw_bytes_at(
	const struct as_dw_file *file, enum as_dw_section s, uint64_t off, uint64_t end)
{
	struct as_dw_cur cur = {.big = file->big};

	end = end < file->sec[s].n ? end : file->sec[s].n;
	if (off < end) {
		cur.p = file->sec[s].p + off;
		cur.end = file->sec[s].p + end;
	}
	return cur;
}
/* The entries of UNIT from OFF on. */
static inline struct as_dw_cur as_dw_entries_at(const struct as_dw_unit *unit, uint64_t off)
{
	return as_dw_bytes_at(unit->file, AS_DW_INFO, off, unit->end);
}
/* Entry I of the table of offsets or addresses, each of SIZE bytes, at BASE of section S. */
bool as_dw_table_entry(const struct as_dw_file *file, enum as_dw_section s, uint64_t base,
	unsigned size, uint64_t i, uint64_t *out);

/* Read all unit headers and what their first entries say. */
enum as_code as_dw_units(struct as_dw_file *file) AS_NODISCARD;
/* The unit header at CUR, and what its first entry says; false at a damaged one, from which OUT's
 * end says where to go on (0: nowhere). */
bool as_dw_unit_read(const struct as_dw_file *file, uint64_t off, struct as_dw_unit *out);
bool as_dw_unit_root(struct as_dw_unit *unit);
/* Where its tables are if it does not say. */
void as_dw_unit_bases(struct as_dw_unit *unit);
/* The unit around OFF of .debug_info, and the one that begins there, or NULL. */
const struct as_dw_unit *as_dw_unit_at(const struct as_dw_file *file, uint64_t off);
const struct as_dw_unit *as_dw_unit_from(const struct as_dw_file *file, uint64_t off);
void as_dw_file_release(struct as_dw_file *file);

/* What an entry's attribute says. */
struct as_dw_val {
	uint16_t form; /* 0: there is none */
	union {
		uint64_t u; /* number, offset, index, address; within a unit: section offset */
		const char *text; /* DW_FORM_string; its NUL is in the section */
	};
};

struct as_dw_attr {
	uint16_t name, form;
	uint16_t slot; /* where in struct as_dw_die its value belongs; 0: nowhere */
	int16_t size;  /* bytes of the value; -1: not always the same */
	int64_t implicit;
};

enum as_dw_kind {
	AS_DW_PLAIN,     /* may hold code further down */
	AS_DW_CODE,      /* function or inlined call, with addresses */
	AS_DW_FUNC_DECL, /* function without addresses of its own */
	AS_DW_TYPE
};

struct as_dw_abbrev {
	uint64_t code;
	uint32_t first, n; /* attributes */
	int32_t size;      /* of all values; -1: not always the same */
	uint16_t tag;
	bool children, sibling;
	uint8_t kind; /* enum as_dw_kind */
};

struct as_dw_abbrevs {
	const struct as_alloc *al;
	const struct as_dw_file *file; /* the file whose table it is, or NULL */
	uint64_t off;
	uint8_t version, addr_size, off_size;
	bool types_plain;                /* types may hold code */
	AS_VEC(struct as_dw_abbrev) row; /* by code */
	AS_VEC(struct as_dw_attr) attr;
};

/* The table of UNIT into ABBREVS, unless it is there already. False if out of memory. */
AS_NODISCARD bool as_dw_abbrevs_load(struct as_dw_abbrevs *abbrevs, const struct as_dw_unit *unit);
bool as_dw_abbrevs_fit(const struct as_dw_abbrevs *abbrevs, const struct as_dw_unit *unit);
const struct as_dw_abbrev *as_dw_abbrev_find(const struct as_dw_abbrevs *abbrevs, uint64_t code);
/* The attributes of AB; NULL if it has none, for then the table may have none at all. */
static inline const struct as_dw_attr *as_dw_attrs(
	const struct as_dw_abbrevs *abbrevs, const struct as_dw_abbrev *ab)
{
	return ab->n ? abbrevs->attr.p + ab->first : NULL;
}

/* Attribute values: one read, one skipped, and the bytes of FORM (-1: not always the same). */
bool as_dw_val_read(const struct as_dw_unit *unit, struct as_dw_cur *cur,
	const struct as_dw_attr *attr, struct as_dw_val *out);
void as_dw_val_skip(
	const struct as_dw_unit *unit, struct as_dw_cur *cur, const struct as_dw_attr *attr);
uint16_t as_dw_slot(uint16_t name);
int16_t as_dw_form_size(const struct as_dw_unit *unit, uint16_t form);

struct as_slice as_dw_val_text(const struct as_dw_unit *unit, const struct as_dw_val *val);
bool as_dw_val_addr(const struct as_dw_unit *unit, const struct as_dw_val *val, uint64_t *addr);
/* The entry that VAL names: its unit and its offset. */
const struct as_dw_unit *as_dw_val_ref(
	const struct as_dw_unit *unit, const struct as_dw_val *val, uint64_t *off);

/* What is of interest in an entry. */
struct as_dw_die {
	uint16_t tag;
	bool children;
	uint64_t next; /* offset behind it */
	struct as_dw_val sibling, name, linkage, origin, low, high, ranges, call_file, call_line;
	struct as_dw_val decl_file, decl_line, decl_column, type, external, artificial;
	struct as_dw_val stmt_list, comp_dir, lang, dwo_name, dwo_id;
	struct as_dw_val str_offsets_base, addr_base, rnglists_base, ranges_base;
};

/* The attributes at CUR, laid out as ABBREV says. False if they are damaged. */
bool as_dw_die_read(const struct as_dw_unit *unit, struct as_dw_cur *cur,
	const struct as_dw_attr *attr, size_t n, struct as_dw_die *out);
/* Go behind the attributes at CUR. */
void as_dw_values_skip(const struct as_dw_unit *unit, const struct as_dw_abbrevs *abbrevs,
	struct as_dw_cur *cur, const struct as_dw_abbrev *ab);
/* The entry at OFF; false if there is none. */
bool as_dw_die_at(const struct as_dw_unit *unit, const struct as_dw_abbrevs *abbrevs, uint64_t off,
	struct as_dw_die *out);

/* Ranges of addresses, one after the other. */
struct as_dw_ranges {
	const struct as_dw_unit *unit;
	struct as_dw_cur cur;
	uint64_t base;
	struct as_dw_range one;
	enum { AS_DW_RANGES_NONE, AS_DW_RANGES_ONE, AS_DW_RANGES_OLD, AS_DW_RANGES_LIST } state;
};
void as_dw_ranges_of(
	struct as_dw_ranges *it, const struct as_dw_unit *unit, const struct as_dw_die *die);
void as_dw_ranges_of_unit(struct as_dw_ranges *it, const struct as_dw_unit *unit);
bool as_dw_ranges_next(struct as_dw_ranges *it, struct as_dw_range *out);

/* What .debug_aranges says, one range after the other, with the offset of its unit. */
struct as_dw_aranges {
	struct as_dw_cur all, set;
	uint64_t unit_off;
	uint8_t addr_size;
};
void as_dw_aranges_begin(struct as_dw_aranges *it, const struct as_dw_file *file);
bool as_dw_aranges_next(struct as_dw_aranges *it, struct as_dw_range *out);

/* A line table: its names, and the program behind them. */
struct as_dw_file_name {
	struct as_slice name, path; /* PATH is made when it is asked for */
	uint64_t dir;
};
struct as_dw_lines {
	const struct as_alloc *al;
	const struct as_dw_unit *unit;
	struct as_dw_cur program;
	uint16_t version;
	uint8_t min_insn, max_ops, line_range, opcode_base, addr_size;
	int8_t line_base;
	uint8_t n_args[256];
	AS_VEC(struct as_slice) dir;
	AS_VEC(struct as_dw_file_name) file;
};
/* False if out of memory; a damaged table is an empty one, and *DAMAGED is set. */
AS_NODISCARD bool as_dw_lines_read(
	struct as_dw_lines *lines, const struct as_dw_unit *unit, bool *damaged);
void as_dw_lines_clear(struct as_dw_lines *lines);
/* The path of file number I, "" where there is none, made in ARENA; p == NULL if out of memory. */
struct as_slice as_dw_lines_path(struct as_dw_lines *lines, uint64_t i, struct as_arena *arena);

/* Where an address stands. */
struct as_dw_row {
	uint64_t file;
	uint32_t line;
	bool known;
};
/* ROW[i] for the N addresses ADDR[i], which ascend. False where the budget ran out or the program
 * is damaged. */
bool as_dw_lines_sweep(struct as_dw_lines *lines, const uint64_t *addr, size_t n,
	struct as_dw_row *row, uint64_t *budget);

/* What functions and types of a unit stand in: namespaces, classes, and functions with classes. */
struct as_dw_container {
	uint64_t off, end;
	uint32_t parent; /* row + 1; 0: the unit */
	uint16_t tag;
	uint64_t closed;      /* where the entries in it begin, which are not known yet; or 0 */
	struct as_slice name; /* "" where it has none */
};
struct as_dw_scopes {
	const struct as_dw_unit *unit; /* whose they are, or NULL */
	struct as_dw_abbrevs abbrevs;
	AS_VEC(struct as_dw_container) container;
};

/* A function: its linkage name, else the qualified one, of C++ with its parameters where it is of
 * its unit alone; "" if it has none. The file in which it was declared, "" where that is not
 * known. */
struct as_dw_func {
	struct as_slice name, decl;
};
struct as_dw_known {
	const struct as_dw_unit *unit; /* NULL: nothing */
	uint64_t off;
	struct as_dw_func func;
};
struct as_dw_namer {
	const struct as_alloc *al;
	struct as_arena *arena;
	struct as_dw_abbrevs near;      /* of the unit that is gone through */
	struct as_dw_scopes func, type; /* of the one that a function is in, its type is in */
	struct as_dw_known known[256];  /* found lately, by what the functions refer to */
	struct as_dw_lines *near_lines; /* of the unit that is gone through */
	struct as_dw_lines far_lines;
	uint64_t *budget;
	bool cxx; /* the function that is asked for is of C++; parts of units do not say */
	bool nomem;
};
void as_dw_namer_init(struct as_dw_namer *namer, const struct as_alloc *al, struct as_arena *arena);
/* The function at OFF. */
struct as_dw_func as_dw_func(
	struct as_dw_namer *namer, const struct as_dw_unit *unit, uint64_t off);
/* Whether the functions of UNIT have linkage names that say more than their names. */
bool as_dw_mangles(const struct as_dw_unit *unit);
/* Pay for COST steps; false if there is not as much left. */
static inline bool as_dw_spend(struct as_dw_namer *namer, uint64_t cost)
{
	if (*namer->budget < cost)
		return false;
	*namer->budget -= cost;
	return true;
}
/* The file number NUMBER of UNIT; "" where there is none. */
struct as_slice as_dw_decl_path(
	struct as_dw_namer *namer, const struct as_dw_unit *unit, uint64_t number);

/* Make SCOPES those of UNIT. False without memory or budget for it. */
AS_NODISCARD bool as_dw_scopes_load(
	struct as_dw_namer *namer, struct as_dw_scopes *scopes, const struct as_dw_unit *unit);
/* NAME, that of the entry at OFF, behind the names of what it stands in, with SEP between them. */
struct as_slice as_dw_qualify(struct as_dw_namer *namer, struct as_dw_scopes *scopes,
	struct as_slice name, uint64_t off, const char *sep);
/* What stands for the name of a type that has none: where it was declared. */
struct as_slice as_dw_unnamed(
	struct as_dw_namer *namer, const struct as_dw_unit *unit, const struct as_dw_die *die);
/* NAME with the parameters of the function at OFF, as C++ has them; as it is if they are not to be
 * told. */
struct as_slice as_dw_with_params(struct as_dw_namer *namer, struct as_slice name,
	const struct as_dw_unit *unit, uint64_t off);

/* A function or an inlined call around some of the addresses. */
struct as_dw_scope {
	uint64_t off;
	uint32_t parent; /* row + 1; 0: none */
	bool inlined, named;
	uint32_t call_line;
	uint64_t call_file;
	struct as_dw_func func; /* once NAMED */
};
struct as_dw_walk {
	const struct as_alloc *al;
	const struct as_dw_unit *unit;
	const struct as_dw_abbrevs *abbrevs;
	const uint64_t *addr; /* ascending */
	size_t n;
	uint32_t *in; /* the innermost scope of each address: row + 1; 0: none */
	AS_VEC(struct as_dw_scope) scope;
	AS_VEC(uint32_t) stack; /* the scope at each depth */
	size_t in_func;         /* the depth below the outermost function around; 0: none */
	uint64_t *budget;
	bool thorough; /* look into functions that hold none of the addresses, too */
	bool damaged;
};
/* False if out of memory. */
AS_NODISCARD bool as_dw_walk(struct as_dw_walk *walk);

/* What DWARF says of N addresses. */
struct as_dw_frame {
	struct as_dw_func func; /* parts of a section or of an arena below; FILE likewise */
	struct as_slice file;
	uint32_t line;
};
struct as_dw_found {
	uint32_t task, first, n; /* frames; n == 0: no function; then FRAME[first] has file, line */
	bool known;              /* there is at least a file and line */
	bool mangles;            /* its language has linkage names */
};
struct as_dw_answer {
	const struct as_alloc *al;
	struct as_dw_task *task;
	unsigned n_tasks;
	struct as_dw_found *found; /* one for each address */
	size_t n;
	bool damaged;
};
struct as_dw_query {
	const uint64_t *addr; /* ascending */
	size_t n;
	bool inlines;
	const struct as_dw_range *code; /* where instructions can be */
	size_t n_code;
	void (*run)(void *ctx, void (*task)(void *arg, unsigned i), void *arg, unsigned n);
	void *run_ctx;
	/* Finds the split unit of a skeleton; NULL: there is none. */
	const struct as_dw_unit *(*split)(void *ctx, const struct as_dw_unit *skeleton);
	void *split_ctx;
};
/* Errors: AS_E_NOMEM. ANSWER always ends in as_dw_answer_release(). */
enum as_code as_dw_lookup(const struct as_dw_file *file, const struct as_dw_query *query,
	struct as_dw_answer *answer) AS_NODISCARD;
const struct as_dw_frame *as_dw_frames(
	const struct as_dw_answer *answer, const struct as_dw_found *found);
void as_dw_answer_release(struct as_dw_answer *answer);

#endif
