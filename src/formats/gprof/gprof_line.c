/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the flat profile and of the call graph. docs/formats/gprof.md §2, §3. */
#include "formats/gprof/gprof.h"

/* ---- heads ---- */

static bool gprof_line_has(struct as_slice line, const char *word)
{
	struct as_slice one;

	while (as_slice_word(&line, &one))
		if (as_slice_is(one, word))
			return true;
	return false;
}

enum gt_table as_gt_head(struct as_slice line)
{
	struct as_slice rest = as_slice_ltrim(line), first;

	if (!as_slice_starts(rest, "time") && !as_slice_starts(rest, "index"))
		return GT_NONE; /* most lines of most texts */
	as_slice_word(&rest, &first);
	if (as_slice_is(first, "time") && gprof_line_has(line, "seconds") &&
		gprof_line_has(line, "calls") && gprof_line_has(line, "name"))
		return GT_FLAT;
	if (as_slice_is(first, "index") && gprof_line_has(line, "self") &&
		gprof_line_has(line, "name") &&
		(gprof_line_has(line, "children") || gprof_line_has(line, "descendents") ||
			gprof_line_has(line, "descendants")))
		return GT_GRAPH;
	return GT_NONE;
}

/* ---- words ---- */

bool as_gt_seconds(struct as_slice text, int64_t *nanos)
{
	struct as_slice rest = text;
	uint64_t whole, part = 0;

	if (!as_slice_take_dec(&rest, &whole) || whole > INT64_MAX / 1000000000 - 1)
		return false;
	if (!rest.len || rest.p[0] != '.')
		return false;
	for (size_t i = 1; i < rest.len; i++)
		if (rest.p[i] < '0' || rest.p[i] > '9')
			return false;
	for (size_t i = 1; i <= 9; i++)
		part = part * 10 + (i < rest.len ? (uint64_t)(rest.p[i] - '0') : 0);
	*nanos = (int64_t)(whole * 1000000000 + part);
	return rest.len > 1;
}

static bool gprof_line_time(struct as_slice *rest, int64_t *nanos)
{
	struct as_slice after = *rest, word;

	if (!as_slice_word(&after, &word) || !as_gt_seconds(word, nanos))
		return false;
	*rest = after;
	return true;
}

/* "40", "40/445880" or "40+875600": how often, without the calls by itself. */
static bool gprof_line_count(struct as_slice *rest, uint64_t *n)
{
	struct as_slice after = *rest, word;
	uint64_t more;

	if (!as_slice_word(&after, &word) || !as_slice_take_dec(&word, n))
		return false;
	if (word.len) {
		if (word.p[0] != '/' && word.p[0] != '+')
			return false;
		word = as_slice_skip(word, 1);
		if (!as_slice_dec(word, &more))
			return false;
	}
	*rest = after;
	return as_slice_trim(after).len;
}

/* ---- names ---- */

/* " [12]" off the end of S, or " (12)" with other brackets. */
static bool gprof_line_index(struct as_slice *s, const char *brackets, uint64_t *index)
{
	size_t open = as_slice_up_to_last(*s, brackets[0]);

	if (open < 2 || s->p[open - 2] != ' ' || s->p[s->len - 1] != brackets[1] ||
		!as_slice_dec((struct as_slice){s->p + open, s->len - open - 1}, index))
		return false;
	*s = as_slice_trim((struct as_slice){s->p, open - 2});
	return true;
}

/* " (gp.c:12 @ 401136)" of gprof -l off the end of S. */
static void gprof_line_where(struct as_slice *s, struct gt_name *who)
{
	size_t open = as_slice_up_to_last(*s, '('), colon, at;
	struct as_slice in, number;

	if (open < 2 || s->p[open - 2] != ' ' || s->p[s->len - 1] != ')')
		return;
	in = (struct as_slice){s->p + open, s->len - open - 1};
	at = as_slice_find_text(in, " @ ");
	if (at == in.len)
		return;
	colon = as_slice_up_to_last((struct as_slice){in.p, at}, ':');
	if (!colon || !as_slice_hex(as_slice_skip(in, at + 3), &who->addr))
		return;
	number = (struct as_slice){in.p + colon, at - colon};
	if (!as_slice_dec(number, &who->line))
		return;
	who->file = (struct as_slice){in.p, colon - 1};
	s->len = open - 2;
}

/* " <cycle 1>" off the end of S. */
static void gprof_line_cycle(struct as_slice *s)
{
	size_t open = as_slice_up_to_last(*s, '<');
	struct as_slice in;
	uint64_t number;

	if (open < 2 || s->p[open - 2] != ' ' || !as_slice_ends(*s, ">"))
		return;
	in = (struct as_slice){s->p + open, s->len - open - 1};
	if (as_slice_starts(in, "cycle ") && as_slice_dec(as_slice_skip(in, 6), &number))
		s->len = open - 2;
}

static bool gprof_line_name(struct as_slice s, struct gt_name *who)
{
	uint64_t unused;

	s = as_slice_trim(s);
	if (!gprof_line_index(&s, "[]", &who->index))
		(void)gprof_line_index(&s, "()", &unused);
	who->cycle = as_slice_starts(s, "<cycle ") && as_slice_ends(s, " as a whole>");
	gprof_line_cycle(&s);
	gprof_line_where(&s, who);
	who->name = as_slice_trim(s);
	return who->name.len;
}

/* ---- rows ---- */

/* " 33.3      0.12     0.12   445880     0.00     0.00  spin" */
bool as_gt_flat(struct as_slice line, struct gt_row *row)
{
	struct as_slice rest = line, counted;
	int64_t unused;

	*row = (struct gt_row){.timed = true};
	if (!gprof_line_time(&rest, &row->percent) || !gprof_line_time(&rest, &unused) ||
		!gprof_line_time(&rest, &row->self))
		return false;
	counted = rest;
	if (gprof_line_count(&counted, &row->calls) && gprof_line_time(&counted, &unused) &&
		gprof_line_time(&counted, &unused))
		rest = counted;
	else
		row->calls = 0;
	return gprof_line_name(rest, &row->who);
}

/* "[1]    100.0    0.12    0.00  445880         spin [1]", and the lines around it, without the
 * first two words, or without any but how often and the name. */
bool as_gt_graph(struct as_slice line, struct gt_row *row)
{
	struct as_slice rest = line, word;
	int64_t unused;

	*row = (struct gt_row){.primary = line.len && line.p[0] == '['};
	if (row->primary && (!as_slice_word(&rest, &word) || !gprof_line_time(&rest, &unused)))
		return false;
	row->timed = gprof_line_time(&rest, &row->self) && gprof_line_time(&rest, &unused);
	if (row->primary && !row->timed)
		return false;
	if (as_slice_is(as_slice_trim(rest), "<spontaneous>")) {
		row->spontaneous = true;
		return !row->primary && !row->timed;
	}
	if (!gprof_line_count(&rest, &row->calls) && !row->primary)
		return false;
	return gprof_line_name(rest, &row->who);
}
