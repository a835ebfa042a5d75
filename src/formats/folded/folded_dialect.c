/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folded stacks of Python's profilers, whose first frames are a process and a thread, and whose
 * others say where they stand. docs/formats/folded.md §7.
 */
#include "formats/folded/folded_dialect.h"

#include "formats/tally.h"

/* ---- what it is ---- */

/* A number in S between BEFORE and AFTER, both of which are moved over. */
static bool dialect_number(struct as_slice *s, const char *before, const char *after, uint64_t *n)
{
	struct as_slice rest = *s;

	if (!as_slice_starts(rest, before))
		return false;
	rest = as_slice_skip(rest, strlen(before));
	if (!as_slice_take_dec(&rest, n) || !as_slice_starts(rest, after))
		return false;
	*s = as_slice_skip(rest, strlen(after));
	return true;
}

static enum as_folded_dialect dialect_of(struct as_slice stack)
{
	uint64_t n;

	if (dialect_number(&stack, "P", ";T", &n))
		return AS_FOLDED_AUSTIN;
	if (dialect_number(&stack, "tid:", ";", &n) ||
		dialect_number(&stack, "process ", ":\"", &n) ||
		as_slice_starts(stack, "thread (0x"))
		return AS_FOLDED_PYTHON;
	return AS_FOLDED_PLAIN;
}

enum as_folded_dialect as_folded_dialect(struct as_slice head)
{
	enum { ENOUGH = 128 };
	enum as_folded_dialect is = AS_FOLDED_PLAIN, one;
	struct as_folded_line fl;
	struct as_slice line;
	bool austin = false, whole = head.len < AS_PEEK_MAX;
	unsigned n = 0;

	head = as_folded_past_marks(head);
	while (n < ENOUGH && as_slice_line(&head, whole, &line)) {
		line = as_slice_trim(as_slice_chop(line));
		austin |= as_slice_starts(line, AS_FOLDED_AUSTINS);
		/* austin's numbers are three sometimes */
		if (!line.len || line.p[0] == '#' ||
			(!austin && as_folded_split(line, 1, 1, &fl) != AS_FOLDED_STACK))
			continue;
		one = dialect_of(line);
		if ((one == AS_FOLDED_AUSTIN) != austin || (n++ && one != is))
			return AS_FOLDED_PLAIN;
		is = one;
	}
	return n ? is : austin ? AS_FOLDED_AUSTIN : AS_FOLDED_PLAIN;
}

enum as_code as_folded_frames_option(
	const struct as_rd *rd, struct as_slice head, enum as_folded_dialect *out)
{
	const char *frames = as_opts_get(&rd->opts, "frames");

	if (!frames)
		*out = as_folded_dialect(head);
	else if (strcmp(frames, "py") == 0)
		*out = AS_FOLDED_PYTHON;
	else if (strcmp(frames, "austin") == 0)
		*out = AS_FOLDED_AUSTIN;
	else if (strcmp(frames, "plain") == 0)
		*out = AS_FOLDED_PLAIN;
	else
		return as_err_set(
			rd->err, AS_E_ARG, "frames=%s: expected py, austin or plain", frames);
	return AS_OK;
}

/* ---- frames ---- */

enum counted { SAMPLES, TIME, CPU, MEMORY, N_COUNTED };

struct dialect {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_tally tally;
	enum as_folded_dialect is;
	uint64_t line;
	uint32_t column[N_COUNTED]; /* AS_TALLY_NONE */
	bool in_bytes;              /* austin's number is memory, not time */
	uint64_t n_lines;
	struct { /* "# key: value" */
		struct as_slice key, text;
	} fact[16];
	size_t n_facts;
};

/* "lib/a.py:work:12", of which the last two colons are not the path's. */
static bool dialect_colons(struct as_slice s, struct as_folded_python *out)
{
	size_t last = as_slice_up_to_last(s, ':'), first;
	struct as_slice head;

	if (!last || !as_slice_dec(as_slice_skip(s, last), &out->line))
		return false;
	head = (struct as_slice){s.p, last - 1};
	first = as_slice_up_to_last(head, ':');
	if (first < 2 || first == head.len)
		return false;
	out->path = (struct as_slice){s.p, first - 1};
	out->name = as_slice_skip(head, first);
	if (as_slice_is(out->path, "~"))
		out->path = as_slice_of(""); /* code of Python itself: "~:<GC>:0" */
	return true;
}

/* "work (lib/a.py:12)", whatever the file is called. */
static bool dialect_brackets(struct as_slice s, struct as_folded_python *out)
{
	size_t open = as_slice_find_text(s, " ("), colon = as_slice_up_to_last(s, ':');

	if (!open || open == s.len || !as_slice_ends(s, ")") || colon < open + 4)
		return false;
	out->name = (struct as_slice){s.p, open};
	out->path = (struct as_slice){s.p + open + 2, colon - open - 3};
	return as_slice_dec((struct as_slice){s.p + colon, s.len - colon - 1}, &out->line);
}

static enum as_code dialect_push(struct dialect *d, struct as_slice frame, as_node *node)
{
	struct as_build *b = d->rd->out;
	struct as_folded_python py = {.name = as_slice_trim(frame), .path = as_slice_of("")};
	struct as_pos pos = {.line = 0};
	as_place place;

	if (!dialect_colons(py.name, &py))
		(void)(d->is == AS_FOLDED_PYTHON && dialect_brackets(py.name, &py));
	if (py.path.len)
		AS_TRY(as_build_file(b, py.path, &pos.file));
	pos.line = d->rd->detail == AS_DETAIL_FUNC || !py.path.len ? 0 : py.line;
	AS_TRY(as_build_func(b, py.name, (as_object){0}, pos.file, 0, &pos.func));
	AS_TRY(as_build_place(b, &pos, &place));
	return as_build_push(b, *node, place, node);
}

/* ---- who ---- */

static bool dialect_id(uint64_t n, uint32_t *id)
{
	*id = (uint32_t)n;
	return n <= UINT32_MAX;
}

/* "thread (0x7F01): MainThread" */
static void dialect_py_thread(struct as_slice frame, struct as_tally_thread *who)
{
	size_t close = as_slice_find_text(frame, "): ");
	struct as_slice digits = as_slice_skip(frame, sizeof("thread (0x") - 1);
	uint64_t n;

	digits.len -= close < frame.len ? frame.len - close : 1;
	if (as_slice_hex(digits, &n))
		who->has_tid = dialect_id(n, &who->tid);
	if (close < frame.len)
		who->name = as_slice_skip(frame, close + 3);
	else
		who->name = frame;
}

/* Takes the frame that says a process or a thread; false: FRAME is none. */
static bool dialect_is_who(
	const struct dialect *d, struct as_slice frame, size_t at, struct as_tally_thread *who)
{
	struct as_slice rest = frame;
	uint64_t n;

	if (d->is == AS_FOLDED_AUSTIN) {
		if (at == 0 && dialect_number(&rest, "P", "", &n) && !rest.len)
			return (who->has_pid = dialect_id(n, &who->pid)), true;
		if (at != 1 || !as_slice_starts(frame, "T"))
			return false;
		who->name = as_slice_skip(frame, 1); /* "INTERPRETER:NUMBER", or of no format */
		return true;
	}
	if (at == 0 && dialect_number(&rest, "tid:", "", &n) && !rest.len) {
		who->has_tid = dialect_id(n, &who->tid);
		return true;
	}
	if (at == 0 && dialect_number(&rest, "process ", ":\"", &n)) {
		who->has_pid = dialect_id(n, &who->pid);
		rest.len -= as_slice_ends(rest, "\"");
		who->process = rest;
		return true;
	}
	if (at > 1 || !as_slice_starts(frame, "thread (0x") || !as_slice_has(frame, ')'))
		return false;
	dialect_py_thread(frame, who);
	return true;
}

/* ---- lines ---- */

/* The last word of LINE, which are one or three numbers. */
static bool dialect_metric(struct as_slice *line, int64_t v[3], unsigned *n)
{
	size_t at = line->len;
	struct as_slice word, part;

	while (at && line->p[at - 1] != ' ')
		at--;
	word = as_slice_skip(*line, at);
	*line = as_slice_trim((struct as_slice){line->p, at});
	for (*n = 0; *n < 3 && as_slice_cut(&word, ',', &part); ++*n) {
		bool minus = as_slice_starts(part, "-");
		uint64_t one;

		if (!as_slice_dec(as_slice_skip(part, minus), &one) || one > INT64_MAX)
			return false;
		v[*n] = minus ? -(int64_t)one : (int64_t)one;
	}
	return line->len && (*n == 1 || *n == 3) && !word.len;
}

/* The column of WHAT is there. */
static enum as_code dialect_column(struct dialect *d, enum counted what)
{
	static const char *const name[] = {"samples", "time", "cpu", "memory"};
	static const char *const unit[] = {"count", "microseconds", "microseconds", "bytes"};

	if (d->column[what] != AS_TALLY_NONE)
		return AS_OK;
	return as_tally_event(
		&d->tally, as_slice_of(name[what]), as_slice_of(unit[what]), &d->column[what]);
}

static enum as_code dialect_cost(
	struct dialect *d, uint32_t thread, as_node node, enum counted what, int64_t v)
{
	AS_TRY(dialect_column(d, what));
	return v ? as_tally_add(&d->tally, thread, d->column[what], node, v, NULL) : AS_OK;
}

/* Austin's number is the time since the last sample of the thread, or memory; or the time, whether
 * the thread was idle, and memory. */
static enum as_code dialect_costs(
	struct dialect *d, uint32_t thread, as_node node, const int64_t v[3], unsigned n)
{
	if (d->is == AS_FOLDED_PYTHON)
		return dialect_cost(d, thread, node, SAMPLES, v[0]);
	AS_TRY(dialect_cost(d, thread, node, SAMPLES, 1));
	if (n == 1 && d->in_bytes)
		return dialect_cost(d, thread, node, MEMORY, v[0]);
	AS_TRY(dialect_cost(d, thread, node, TIME, v[0]));
	if (n == 1)
		return AS_OK;
	AS_TRY(dialect_cost(d, thread, node, CPU, v[1] ? 0 : v[0]));
	return dialect_cost(d, thread, node, MEMORY, v[2]);
}

/* "# mode: wall" */
static enum as_code dialect_fact(struct dialect *d, struct as_slice line)
{
	struct as_slice s = as_slice_trim(as_slice_skip(line, 1));
	size_t colon = as_slice_find_text(s, ": "), i = 0;
	struct as_slice key = {s.p, colon}, text;

	if (colon == s.len || !key.len || as_slice_has(key, ' '))
		return AS_OK;
	text = as_slice_trim(as_slice_skip(s, colon + 1));
	if (as_slice_is(key, "mode"))
		d->in_bytes = as_slice_is(text, "memory");
	while (i < d->n_facts && !as_slice_eq(d->fact[i].key, key))
		i++;
	if (i == AS_ARRAY_LEN(d->fact))
		return AS_OK;
	d->n_facts += i == d->n_facts;
	d->fact[i].key = as_arena_dup(&d->tally.arena, key);
	d->fact[i].text = as_arena_dup(&d->tally.arena, text);
	return as_err_memory(d->rd->err, d->fact[i].key.p && d->fact[i].text.p);
}

static enum as_code dialect_line(struct dialect *d, struct as_slice line)
{
	struct as_tally_thread who = {.name = as_slice_of(""), .process = as_slice_of("")};
	struct as_slice stack = as_slice_trim(line), frame;
	as_node node = {0};
	uint32_t thread;
	unsigned n;
	int64_t v[3];
	bool head = true;

	if (!stack.len)
		return AS_OK;
	if (stack.p[0] == '#')
		return dialect_fact(d, stack);
	if (!dialect_metric(&stack, v, &n))
		return as_rd_find(d->rd, AS_F_FO_NO_COUNT, AS_OFF_NONE, d->line,
			"expected 'frame;frame COUNT'; the line was left out: '%.*s'",
			AS_SLICE_FMT(line));
	for (size_t at = 0; as_slice_cut(&stack, ';', &frame); at++) {
		if (d->rd->lim.depth && at > d->rd->lim.depth)
			return as_rd_fail(d->rd, AS_E_LIMIT, AS_OFF_NONE, d->line,
				"the stack is deeper than %" PRIu64 " frames", d->rd->lim.depth);
		head = head && dialect_is_who(d, frame, at, &who);
		if (!head)
			AS_TRY(dialect_push(d, frame, &node));
	}
	AS_TRY(as_tally_thread(&d->tally, &who, &thread));
	d->n_lines++;
	return dialect_costs(d, thread, node, v, n);
}

static enum as_code dialect_lines(struct dialect *d)
{
	struct as_slice lines, line;
	enum as_code rc;

	while ((rc = as_in_lines(d->rd->in, &lines)) == AS_OK) {
		size_t n = lines.len;

		if (!d->line)
			lines = as_folded_past_marks(lines);
		while (as_slice_line(&lines, true, &line)) {
			d->line++;
			AS_TRY(dialect_line(d, as_slice_chop(line)));
		}
		as_in_take(d->rd->in, n);
	}
	return rc == AS_END ? AS_OK : rc;
}

static enum as_code dialect_all(struct dialect *d)
{
	as_tally_init(&d->tally, d->rd, d->al, "folded");
	AS_TRY(dialect_lines(d));
	AS_TRY(dialect_column(d, SAMPLES));
	AS_TRY(as_tally_put(&d->tally));
	for (size_t i = 0; i < d->n_facts; i++)
		AS_TRY(as_build_meta_of(
			d->rd->out, 0, d->fact[i].key, d->fact[i].text, AS_META_OF_RUN));
	AS_TRY(as_build_str(d->rd->out,
		as_slice_of(d->is == AS_FOLDED_AUSTIN ? "austin" : "python"),
		&d->rd->out->prof->version));
	return as_rd_find_if(d->rd, !d->n_lines, AS_F_NO_SAMPLES, "there are no stacks");
}

enum as_code as_folded_read_dialect(struct as_rd *rd, enum as_folded_dialect is)
{
	struct dialect d = {.rd = rd, .al = rd->al, .is = is};

	for (size_t i = 0; i < N_COUNTED; i++)
		d.column[i] = AS_TALLY_NONE;
	return dialect_all(&d);
}
