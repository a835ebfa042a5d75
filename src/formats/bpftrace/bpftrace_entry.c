/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of maps: stacks and other keys, and a number. docs/formats/bpftrace.md §2. */
#include "formats/bpftrace/bpftrace.h"

/* ---- frames ---- */

bool as_bpftrace_is_frame(struct as_slice line)
{
	return (as_slice_starts(line, "\t") || as_slice_starts(line, "    ")) &&
	       as_slice_trim(line).len;
}

/* NAME without a "+35", or "+0x23", at its end. */
static struct as_slice entry_drop_offset(struct as_slice s)
{
	size_t at = as_slice_up_to_last(s, '+');
	uint64_t v;

	if (at > 1 && as_slice_num(as_slice_skip(s, at), &v))
		s.len = at - 1;
	return s;
}

void as_bpftrace_frame(struct as_slice text, struct as_slice *name, uint64_t *addr)
{
	enum { DIGITS = 8 }; /* shorter ones may be names */
	struct as_slice rest = text, word = as_slice_of("");
	bool hex = as_slice_word(&rest, &word) && word.len >= DIGITS && as_slice_hex(word, addr);

	if (!hex && as_slice_starts(word, "0x"))
		hex = as_slice_hex(as_slice_skip(word, 2), addr);
	if (!hex)
		*addr = 0;
	*name = entry_drop_offset(as_slice_trim(hex ? rest : text));
}

/* The outermost code of the kernel, which runs what a process, the hardware or nobody asks for. */
static bool entry_is_kernel(struct as_slice name, uint64_t addr)
{
	static const char *const roots[] = {"entry_SYSCALL", "entry_INT80", "do_syscall_64", "asm_",
		"ret_from_fork", "secondary_startup_64", "start_secondary", "start_kernel",
		"x86_64_start_", "common_startup_64", "cpu_startup_entry", "kthread",
		"common_interrupt", "el0_", "el0t_", "el1_", "el1h_", "ret_to_user",
		"ret_fast_syscall", "vector_swi", "system_call", "__switch_to_asm"};
	const uint64_t half = UINT64_C(0xffff800000000000);

	for (size_t i = 0; i < AS_ARRAY_LEN(roots); i++)
		if (as_slice_starts(name, roots[i]))
			return true;
	return addr >= half;
}

static enum as_code entry_intern(struct bpftrace *bt, struct as_slice text, uint32_t *row)
{
	uint64_t hash = as_hash_bytes(text.p, text.len), at = AS_INDEX_START;
	struct as_build *b = bt->rd->out;
	struct bpftrace_text one;
	struct as_pos pos = {.line = 0};
	struct as_slice name;

	while (as_index_find(&bt->texts, hash, &at, row))
		if (as_slice_eq(bt->text.p[*row].text, text))
			return AS_OK;
	as_bpftrace_frame(text, &name, &pos.addr);
	AS_TRY(as_build_func(
		b, name, (as_object){0}, pos.file, name.len ? 0 : pos.addr, &pos.func));
	AS_TRY(as_build_place(b, &pos, &one.place));
	one.kernel = entry_is_kernel(name, pos.addr);
	one.text = as_arena_dup(&bt->arena, text);
	*row = (uint32_t)bt->text.n;
	return as_err_memory(bt->rd->err, one.text.p && as_vec_push(bt->al, &bt->text, one) &&
						  as_index_add(&bt->texts, hash, *row));
}

/* ---- keys ---- */

static enum as_code entry_frame(struct bpftrace *bt, struct as_slice text)
{
	uint32_t row;

	if (bt->rd->lim.depth && bt->stack.n >= bt->rd->lim.depth)
		return as_rd_fail(bt->rd, AS_E_LIMIT, AS_OFF_NONE, bt->line,
			"the stack is deeper than %" PRIu64 " frames", bt->rd->lim.depth);
	if (!bt->in_stack)
		AS_TRY(as_err_memory(bt->rd->err, as_vec_push(bt->al, &bt->begin, bt->stack.n)));
	bt->in_stack = true;
	AS_TRY(entry_intern(bt, text, &row));
	return as_err_memory(bt->rd->err, as_vec_push(bt->al, &bt->stack, row));
}

/* "io pool 12, ", ", ", ",comm": what separates it from stacks is no part of it. */
static struct as_slice entry_bare(struct as_slice s)
{
	s = as_slice_trim(s);
	while (s.len && s.p[0] == ',')
		s = as_slice_ltrim(as_slice_skip(s, 1));
	while (s.len && s.p[s.len - 1] == ',') {
		s.len--;
		s = as_slice_trim(s);
	}
	return s;
}

void as_bpftrace_begin(struct bpftrace *bt)
{
	bt->stack.n = bt->begin.n = bt->key.n = 0;
	bt->in_stack = false;
}

enum as_code as_bpftrace_key_line(struct bpftrace *bt, struct as_slice line)
{
	struct as_slice s;

	if (as_bpftrace_is_frame(line))
		return entry_frame(bt, as_slice_trim(line));
	bt->in_stack = bt->in_stack && !as_slice_trim(line).len;
	s = entry_bare(line);
	if (!s.len)
		return AS_OK;
	return as_err_memory(
		bt->rd->err, (!bt->key.n || as_vec_append(bt->al, &bt->key, ", ", 2)) &&
				     as_vec_append(bt->al, &bt->key, s.p, s.len));
}

/* ---- values ---- */

/* The stack that is the outer one of two: the program's. */
static size_t entry_outer(struct bpftrace *bt)
{
	size_t second = bt->begin.p[1];
	bool a = bt->text.p[bt->stack.p[second - 1]].kernel;
	bool b = bt->text.p[bt->stack.p[bt->stack.n - 1]].kernel;

	if (a != b)
		return a ? 1 : 0;
	bt->n_guessed++;
	return bt->kernel_first ? 1 : 0;
}

static enum as_code entry_path(struct bpftrace *bt, size_t stack, as_node *node)
{
	size_t from = bt->begin.p[stack];
	size_t to = stack + 1 < bt->begin.n ? bt->begin.p[stack + 1] : bt->stack.n;

	as_assert(stack < bt->begin.n);
	for (size_t i = to; i-- > from;)
		AS_TRY(as_build_push(bt->rd->out, *node, bt->text.p[bt->stack.p[i]].place, node));
	return AS_OK;
}

enum as_code as_bpftrace_count(struct bpftrace *bt, struct as_slice name, as_val count)
{
	struct as_tally_thread who = {
		.name = {bt->key.n ? bt->key.p : "", bt->key.n}, .process = as_slice_of("")};
	size_t n = bt->begin.n, outer = n == 2 ? entry_outer(bt) : n - 1;
	uint32_t thread, event;
	as_node node = {0};

	if (n)
		AS_TRY(entry_path(bt, outer, &node));
	for (size_t i = n; i-- > 0;)
		if (i != outer)
			AS_TRY(entry_path(bt, i, &node));
	AS_TRY(as_tally_event(&bt->tally, name.len ? name : as_slice_of("samples"),
		as_slice_of("count"), &event));
	AS_TRY(as_tally_thread(&bt->tally, &who, &thread));
	AS_TRY(as_tally_add(&bt->tally, thread, event, node, count, NULL));
	bt->n_entries++;
	as_bpftrace_begin(bt);
	return AS_OK;
}
