/* SPDX-License-Identifier: Apache-2.0 */
/* Line tables: the header's names, and the program swept along sorted addresses. */
#include "base/path.h"
#include "symbols/dwarf/dwarf_info.h"

#include <dwarf.h>

static bool old_names(struct as_dw_lines *lines, struct as_dw_cur *cur)
{
	for (;;) {
		struct as_slice dir = as_dw_text(cur);

		if (dir.len == 0)
			break;
		if (!as_vec_push(lines->al, &lines->dir, dir))
			return false;
	}
	for (;;) {
		struct as_dw_file_name file = {.name = as_dw_text(cur)};

		if (file.name.len == 0)
			return true;
		file.dir = as_dw_uleb(cur);
		as_dw_skip_leb(cur);
		as_dw_skip_leb(cur);
		if (!as_vec_push(lines->al, &lines->file, file))
			return false;
	}
}

/* A table of names of version 5: what its columns are, then its rows. */
static bool new_table(struct as_dw_lines *lines, struct as_dw_cur *cur, bool files)
{
	struct as_dw_attr column[16];
	size_t n_columns = as_dw_u8(cur);
	uint64_t n_rows;

	for (size_t i = 0; i < n_columns; i++) {
		uint64_t what = as_dw_uleb(cur), form = as_dw_uleb(cur);

		if (i >= AS_ARRAY_LEN(column) || what > UINT16_MAX || form > UINT16_MAX) {
			as_dw_fail(cur);
			return true;
		}
		column[i] = (struct as_dw_attr){(uint16_t)what, (uint16_t)form, 0,
			as_dw_form_size(lines->unit, (uint16_t)form), 0};
	}
	n_rows = as_dw_uleb(cur);
	if (n_columns == 0)
		return true;
	for (uint64_t row = 0; row < n_rows; row++) {
		struct as_dw_file_name file = {.dir = 0};
		const uint8_t *start = cur->p;

		for (size_t i = 0; i < n_columns; i++) {
			struct as_dw_val val = {.form = 0};

			(void)as_dw_val_read(lines->unit, cur, &column[i], &val);
			if (column[i].name == DW_LNCT_path)
				file.name = as_dw_val_text(lines->unit, &val);
			else if (column[i].name == DW_LNCT_directory_index)
				file.dir = val.u;
		}
		if (cur->bad || cur->p == start)
			return true;
		if (files ? !as_vec_push(lines->al, &lines->file, file)
			  : !as_vec_push(lines->al, &lines->dir, file.name))
			return false;
	}
	return true;
}

static bool header_read(struct as_dw_lines *lines, struct as_dw_cur *cur, bool *nomem)
{
	uint8_t off_size;
	uint64_t length = as_dw_length(cur, &off_size), header;
	const uint8_t *after;

	if (cur->bad || length > as_dw_left(cur))
		return false;
	cur->end = cur->p + length;
	lines->version = (uint16_t)as_dw_uint(cur, 2);
	if (lines->version < 2 || lines->version > 5)
		return false;
	lines->addr_size = lines->unit->addr_size;
	if (lines->version >= 5) {
		lines->addr_size = as_dw_u8(cur);
		(void)as_dw_u8(cur);
	}
	header = as_dw_uint(cur, off_size);
	if (cur->bad || header > as_dw_left(cur))
		return false;
	after = cur->p + header;
	lines->min_insn = as_dw_u8(cur);
	lines->max_ops = lines->version >= 4 ? as_dw_u8(cur) : 1;
	(void)as_dw_u8(cur); /* default_is_stmt */
	lines->line_base = (int8_t)as_dw_u8(cur);
	lines->line_range = as_dw_u8(cur);
	lines->opcode_base = as_dw_u8(cur);
	for (unsigned i = 1; i < lines->opcode_base; i++)
		lines->n_args[i] = as_dw_u8(cur);
	if (cur->bad || lines->line_range == 0 || lines->opcode_base == 0)
		return false;
	if (lines->version >= 5)
		*nomem = !new_table(lines, cur, false) || !new_table(lines, cur, true);
	else
		*nomem = !old_names(lines, cur);
	if (*nomem || cur->bad || cur->p > after)
		return false;
	lines->program = (struct as_dw_cur){.p = after, .end = cur->end, .big = cur->big};
	return true;
}

bool as_dw_lines_read(struct as_dw_lines *lines, const struct as_dw_unit *unit, bool *damaged)
{
	struct as_dw_cur cur = as_dw_bytes_at(unit->file, AS_DW_LINE, unit->stmt_list, UINT64_MAX);
	bool nomem = false;

	as_dw_lines_clear(lines);
	lines->unit = unit;
	if (!unit->has_stmt)
		return true;
	if (!header_read(lines, &cur, &nomem)) {
		as_dw_lines_clear(lines);
		*damaged |= !nomem;
	}
	return !nomem;
}

void as_dw_lines_clear(struct as_dw_lines *lines)
{
	lines->program = (struct as_dw_cur){.p = NULL};
	lines->dir.n = lines->file.n = 0;
	lines->unit = NULL;
}

static bool is_absolute(struct as_slice path)
{
	return path.len && path.p[0] == '/';
}

/* The directory of FILE; *UNDER is where that one is, "" if it says so itself. */
static struct as_slice dw_lines_dir_of(
	const struct as_dw_lines *lines, const struct as_dw_file_name *file, struct as_slice *under)
{
	struct as_slice dir = {"", 0};
	uint64_t i = lines->version >= 5 ? file->dir : file->dir - 1;

	if (i < lines->dir.n)
		dir = lines->dir.p[i];
	*under = is_absolute(dir) ? (struct as_slice){"", 0} : lines->unit->comp_dir;
	/* Directory 0 of version 5 is the compilation directory itself. */
	if (lines->version >= 5 && lines->dir.n && i != 0 && !is_absolute(dir) && under->len == 0)
		*under = lines->dir.p[0];
	if (lines->version >= 5 && i == 0 && as_slice_eq(dir, *under))
		*under = (struct as_slice){"", 0};
	return dir;
}

struct as_slice as_dw_lines_path(struct as_dw_lines *lines, uint64_t i, struct as_arena *arena)
{
	struct as_dw_file_name *file;
	struct as_slice dir, under = {"", 0}, path;

	if (lines->version < 5)
		i--;
	if (i >= lines->file.n)
		return (struct as_slice){"", 0};
	file = &lines->file.p[i];
	if (file->path.p)
		return file->path;
	dir = dw_lines_dir_of(lines, file, &under);
	if (is_absolute(file->name))
		dir = under = (struct as_slice){"", 0};
	path = as_arena_printf(arena, "%.*s%s%.*s%s%.*s", AS_SLICE_FMT(under), under.len ? "/" : "",
		AS_SLICE_FMT(dir), dir.len ? "/" : "", AS_SLICE_FMT(file->name));
	if (path.p)
		path.len = as_path_tidy((char *)(uintptr_t)path.p, path.len);
	file->path = path;
	return path;
}

/* The line program's machine, and where it is among the addresses that are asked for. */
struct machine {
	const struct as_dw_lines *lines;
	struct as_dw_cur cur;
	uint64_t addr, file, line, op_index;
	uint64_t row_addr, row_file, row_line; /* the row before this one */
	bool has_row;
	const uint64_t *want; /* ascending */
	size_t n, next;       /* all before NEXT are below ROW_ADDR */
	struct as_dw_row *out;
	uint64_t *budget;
};

static void dw_lines_reset(struct machine *m)
{
	m->addr = m->op_index = 0;
	m->file = m->line = 1;
	m->has_row = false;
}

/* The row before holds up to here. */
static void dw_lines_row(struct machine *m)
{
	if (m->has_row && m->addr > m->row_addr) {
		size_t i = m->next;

		for (; i < m->n && m->want[i] < m->addr; i++) {
			m->out[i] = (struct as_dw_row){m->row_file,
				m->row_line > UINT32_MAX ? 0 : (uint32_t)m->row_line, true};
			*m->budget -= *m->budget > 0;
		}
		m->next = i;
	} else if (!m->has_row || m->addr < m->row_addr) {
		m->next = as_numbers_below(m->want, m->n, m->addr);
	}
	m->has_row = true;
	m->row_addr = m->addr;
	m->row_file = m->file;
	m->row_line = m->line;
}

static void dw_lines_advance(struct machine *m, uint64_t ops)
{
	const struct as_dw_lines *lines = m->lines;

	if (AS_LIKELY(lines->max_ops <= 1)) {
		m->addr += ops * lines->min_insn;
	} else {
		m->addr += lines->min_insn * ((m->op_index + ops) / lines->max_ops);
		m->op_index = (m->op_index + ops) % lines->max_ops;
	}
}

static void dw_lines_extended(struct machine *m)
{
	uint64_t len = as_dw_uleb(&m->cur);
	struct as_dw_cur arg = m->cur;

	as_dw_skip(&m->cur, len);
	if (m->cur.bad || len == 0)
		return;
	arg.end = m->cur.p;
	switch (as_dw_u8(&arg)) {
	case DW_LNE_end_sequence:
		dw_lines_row(m);
		dw_lines_reset(m);
		break;
	case DW_LNE_set_address:
		if (len - 1 <= 8 && len > 1)
			m->addr = as_dw_uint(&arg, (unsigned)len - 1);
		m->op_index = 0;
		break;
	}
}

static void dw_lines_standard(struct machine *m, uint8_t op)
{
	const struct as_dw_lines *lines = m->lines;

	switch (op) {
	case DW_LNS_copy:
		dw_lines_row(m);
		break;
	case DW_LNS_advance_pc:
		dw_lines_advance(m, as_dw_uleb(&m->cur));
		break;
	case DW_LNS_advance_line:
		m->line += (uint64_t)as_dw_sleb(&m->cur);
		m->line = (uint32_t)m->line;
		break;
	case DW_LNS_set_file:
		m->file = as_dw_uleb(&m->cur);
		break;
	case DW_LNS_const_add_pc:
		dw_lines_advance(m, (255u - lines->opcode_base) / lines->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		m->addr += as_dw_uint(&m->cur, 2);
		m->op_index = 0;
		break;
	default: /* columns, basic blocks, ends of prologues: not asked for */
		for (unsigned i = 0; i < lines->n_args[op]; i++)
			as_dw_skip_leb(&m->cur);
	}
}

bool as_dw_lines_sweep(struct as_dw_lines *lines, const uint64_t *addr, size_t n,
	struct as_dw_row *out, uint64_t *budget)
{
	struct machine m = {.lines = lines,
		.cur = lines->program,
		.want = addr,
		.n = n,
		.out = out,
		.budget = budget};
	uint64_t size = as_dw_left(&m.cur);

	if (*budget < size)
		return false;
	*budget -= size;
	dw_lines_reset(&m);
	while (m.cur.p < m.cur.end && *budget) {
		uint8_t op = *m.cur.p++;

		if (AS_LIKELY(op >= lines->opcode_base)) {
			unsigned special = (unsigned)op - lines->opcode_base;

			dw_lines_advance(&m, special / lines->line_range);
			m.line = (uint32_t)((int64_t)m.line + lines->line_base +
					    (int64_t)(special % lines->line_range));
			dw_lines_row(&m);
		} else if (op == 0) {
			dw_lines_extended(&m);
		} else {
			dw_lines_standard(&m, op);
		}
	}
	return !m.cur.bad && *budget;
}
