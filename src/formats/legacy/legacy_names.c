/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that stand in the file: Go's comments below a row, what threadz prints behind an address,
 * Java's lines at the end.
 */
#include "formats/legacy/legacy.h"

void as_lg_names_init(struct as_lg_names *names, const struct as_alloc *al)
{
	*names = (struct as_lg_names){.al = al};
	as_arena_init(&names->arena, al);
	as_index_init(&names->index, al);
}

const struct as_lg_named *as_lg_names_find(const struct as_lg_names *names, uint64_t addr)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&names->index, as_hash_mix(addr, 2), &pos, &row))
		if (names->row.p[row].addr == addr)
			return &names->row.p[row];
	return NULL;
}

static bool names_push_frame(struct as_lg_names *names, const struct as_lg_frame *frame)
{
	struct as_lg_frame own = *frame;

	own.func = as_arena_dup(&names->arena, frame->func);
	own.file = as_arena_dup(&names->arena, frame->file);
	own.object = as_arena_dup(&names->arena, frame->object);
	return !names->arena.failed && as_vec_push(names->al, &names->frame, own);
}

static bool names_push(struct as_lg_names *names, struct as_lg_named row)
{
	return as_vec_push(names->al, &names->row, row) &&
	       as_index_add(&names->index, as_hash_mix(row.addr, 2), (uint32_t)names->row.n - 1);
}

/* The last N frames are those of ADDR. */
static bool names_push_last(struct as_lg_names *names, uint64_t addr, uint32_t n)
{
	return names_push(names, (struct as_lg_named){addr, (uint32_t)names->frame.n - n, n});
}

bool as_lg_names_add(struct as_lg_names *names, uint64_t addr, const struct as_lg_frame *frame)
{
	if (as_lg_names_find(names, addr))
		return true;
	return names_push_frame(names, frame) && names_push_last(names, addr, 1);
}

bool as_lg_names_symbol(struct as_lg_names *names, struct as_slice line)
{
	struct as_addr_name name;
	uint32_t n = 0;

	if (!as_symbol_name_parse(line, &name) || as_lg_names_find(names, name.addr))
		return true; /* "binary=", and what else it may say */
	while (name.func.len) {
		struct as_lg_frame frame = {.func = name.func, .inlined = true};
		size_t at;

		while ((at = as_slice_find_text(frame.func, "--")) < frame.func.len)
			frame.func = as_slice_skip(frame.func, at + 2);
		name.func.len -= frame.func.len;
		name.func.len -= name.func.len ? 2 : 0;
		n += frame.func.len > 0;
		if (frame.func.len && !names_push_frame(names, &frame))
			return false;
	}
	if (n)
		names->frame.p[names->frame.n - 1].inlined = false;
	return !n || names_push_last(names, name.addr, n);
}

bool as_lg_names_symbols_end(struct as_lg_names *names)
{
	for (size_t i = 0, n = names->row.n; i < n; i++) {
		struct as_lg_named row = names->row.p[i];

		row.addr--;
		if (!as_lg_names_find(names, row.addr) && !names_push(names, row))
			return false;
	}
	return true;
}

/* "main.allocate+0x85" */
static bool cut_offset(struct as_slice *func, uint64_t *offset)
{
	size_t at = as_slice_up_to_last(*func, '+');
	struct as_slice number = as_slice_skip(*func, at);

	if (at < 2 || !as_slice_starts(number, "0x") ||
		!as_slice_hex(as_slice_skip(number, 2), offset))
		return false;
	func->len = at - 1;
	return true;
}

/* "runtime/proc.go:250" */
static void names_cut_line(struct as_slice s, struct as_lg_comment *c)
{
	size_t at = as_slice_up_to_last(s, ':');

	c->file = s;
	if (at > 1 && as_slice_dec(as_slice_skip(s, at), &c->line))
		c->file.len = at - 1;
}

static bool comment_parse(struct as_slice line, struct as_lg_comment *c)
{
	struct as_slice rest = as_slice_trim(as_slice_chop(line)), word;
	uint64_t offset;

	*c = (struct as_lg_comment){0};
	if (!as_slice_starts(rest, "#"))
		return false;
	rest = as_slice_ltrim(as_slice_skip(rest, 1));
	if (!as_slice_cut(&rest, '\t', &word) || !as_slice_starts(word, "0x") ||
		!as_slice_hex(as_slice_skip(word, 2), &c->addr))
		return false;
	rest = as_slice_ltrim(rest);
	if (!as_slice_cut(&rest, '\t', &c->func) || !cut_offset(&c->func, &offset))
		return false;
	c->entry = c->addr - offset;
	names_cut_line(as_slice_trim(rest), c);
	return true;
}

/* Texts are kept for a name that is new. The other's function is the one that is known. */
bool as_lg_names_comment(struct as_lg_names *names, struct as_slice line)
{
	const struct as_lg_named *known;
	struct as_lg_comment c;

	if (!comment_parse(line, &c))
		return true;
	known = as_lg_names_find(names, c.addr);
	if (known) {
		c.func = names->frame.p[known->first].func;
	} else {
		c.func = as_arena_dup(&names->arena, c.func);
		c.file = as_arena_dup(&names->arena, c.file);
	}
	return !names->arena.failed && as_vec_push(names->al, &names->comment, c);
}

/* Code of one function under two names is inlined: I into the frame behind it. */
static bool comment_is_inlined(const struct as_lg_names *names, size_t i)
{
	const struct as_lg_comment *c = names->comment.p + i;

	if (i + 1 >= names->comment.n)
		return false;
	return c[0].addr == c[1].addr ||
	       (c[0].entry == c[1].entry && !as_slice_eq(c[0].func, c[1].func));
}

/* Lines of one address that follow one another are its frames. */
bool as_lg_names_settle(struct as_lg_names *names)
{
	size_t n = names->comment.n;

	for (size_t i = 0, end; i < n; i = end) {
		const struct as_lg_comment *c = names->comment.p;

		for (end = i + 1; end < n && c[end].addr == c[i].addr;)
			end++;
		if (as_lg_names_find(names, c[i].addr))
			continue;
		for (size_t k = i; k < end; k++) {
			struct as_lg_frame frame = {.func = c[k].func,
				.file = c[k].file,
				.line = c[k].line,
				.inlined = comment_is_inlined(names, k)};

			if (!as_vec_push(names->al, &names->frame, frame))
				return false;
		}
		if (!names_push_last(names, c[i].addr, (uint32_t)(end - i)))
			return false;
	}
	names->comment.n = 0;
	return true;
}
