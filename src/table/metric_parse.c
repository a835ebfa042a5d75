/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The language of metrics, by recursive descent:
 *
 *	sum	 term (("+" | "-") term)*
 *	term	 factor (("*" | "/") factor | factor)*	two beside one another are multiplied
 *	factor	 ["-"] (number | name | "total" "(" name ")" | "percent" "(" sum ")" | "(" sum ")")
 *
 * A name is the longest that the profile has there, so that "L1-misses" may be one; or in quotes.
 * Names of computed events and ready metrics stand for their formulas.
 */
#include <stdlib.h>

#include "table/metric_impl.h"

enum { NESTED_MAX = 32, FORMULAS_MAX = 16, NUMBER_MAX = 40 };

struct parser {
	const struct as_profile *prof;
	struct as_metric *m;
	struct as_err *err;
	struct as_slice text; /* of which columns are counted */
	const char *p, *end;
	unsigned nested, formulas; /* that the text at hand is in */
	uint32_t depth;            /* of the stack now */
	const char *made; /* the formula at hand is that of this name, not the user's; or NULL */
	bool total;       /* events stand for their totals */
	bool lenient;     /* events that are not there count as 0 */
	enum as_code rc;
};

static void sum(struct parser *ps);

static void fail(struct parser *ps, const char *what)
{
	if (ps->rc != AS_OK)
		return;
	if (ps->made)
		ps->rc = as_err_set(ps->err, AS_E_ARG, "the formula of '%s': %s", ps->made, what);
	else
		ps->rc = as_err_set(ps->err, AS_E_ARG, "metric '%.*s', column %zu: %s",
			AS_SLICE_FMT(ps->text), (size_t)(ps->p - ps->text.p) + 1, what);
}

static void blanks(struct parser *ps)
{
	while (ps->p < ps->end && (*ps->p == ' ' || *ps->p == '\t'))
		ps->p++;
}

static char next(struct parser *ps)
{
	blanks(ps);
	return ps->p < ps->end ? *ps->p : '\0';
}

static bool take(struct parser *ps, char c)
{
	if (next(ps) != c)
		return false;
	ps->p++;
	return true;
}

static void push(struct parser *ps, struct as_metric_op op)
{
	bool operand = op.kind <= AS_METRIC_CALLS;

	ps->depth = operand ? ps->depth + 1 : ps->depth - 1;
	if (ps->depth > AS_METRIC_DEPTH)
		fail(ps, "too deep");
	if (ps->depth > ps->m->depth)
		ps->m->depth = ps->depth;
	if (ps->rc == AS_OK && !as_vec_push(ps->m->al, &ps->m->op, op))
		ps->rc = as_err_no_memory(ps->err);
}

static void push_number(struct parser *ps, struct as_number n)
{
	push(ps, (struct as_metric_op){.kind = AS_METRIC_NUMBER, .number = n});
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* "10", "0.5" */
static void number(struct parser *ps)
{
	struct as_slice s = {ps->p, 0};
	struct as_number n = {.known = true, .whole = true};
	char text[NUMBER_MAX];
	uint64_t v;

	while (ps->p + s.len < ps->end && (is_digit(s.p[s.len]) || s.p[s.len] == '.'))
		s.len++;
	n.whole = as_slice_find(s, '.') == s.len;
	if (s.len >= sizeof(text) || (n.whole && !as_slice_dec(s, &v))) {
		fail(ps, "the number is too large");
		return;
	}
	memcpy(text, s.p, s.len);
	text[s.len] = '\0';
	if (n.whole) {
		n.n = (as_val)v;
		n.x = (double)v;
	} else {
		char *end;

		n.x = strtod(text, &end);
		if (*end) {
			fail(ps, "that is no number");
			return;
		}
	}
	ps->p += s.len;
	push_number(ps, n);
}

/* ---- names ---- */

/* What a name stands for: an event, or a formula. */
struct meaning {
	struct as_slice name;
	enum as_metric_kind kind; /* EVENT, CALLS; NUMBER: a formula */
	uint32_t event;
	struct as_slice formula;
	bool ready;
};

static void consider(
	struct meaning *best, struct as_slice rest, bool whole, const struct meaning *candidate)
{
	struct as_slice name = candidate->name;

	if (name.len <= best->name.len || name.len > rest.len || (whole && name.len != rest.len) ||
		memcmp(name.p, rest.p, name.len) != 0)
		return;
	if (name.len < rest.len && is_word(name.p[name.len - 1]) && is_word(rest.p[name.len]))
		return;
	*best = *candidate;
}

/* The longest name that REST begins with; with WHOLE, that it is. */
static struct meaning find_name(const struct as_profile *prof, struct as_slice rest, bool whole)
{
	struct meaning best = {.name = {NULL, 0}}, m;

	for (uint32_t i = 0; i < prof->event.n; i++) {
		m = (struct meaning){.name = as_str_get(prof, prof->event.p[i].name),
			.kind = AS_METRIC_EVENT,
			.event = i};
		consider(&best, rest, whole, &m);
	}
	for (size_t i = 0; i < prof->derived.n; i++) {
		const struct as_derived *d = &prof->derived.p[i];

		m = (struct meaning){
			.name = as_str_get(prof, d->name), .formula = as_str_get(prof, d->formula)};
		if (!d->bare)
			consider(&best, rest, whole, &m);
	}
	m = (struct meaning){.name = as_slice_of("calls"), .kind = AS_METRIC_CALLS};
	consider(&best, rest, whole, &m);
	for (const struct as_ready_metric *r = as_ready_metrics; r->name; r++) {
		m = (struct meaning){.name = as_slice_of(r->name),
			.formula = as_slice_of(r->formula),
			.ready = true};
		if (as_ready_metric_fits(prof, r))
			consider(&best, rest, whole, &m);
	}
	return best;
}

static void put_formula(struct parser *ps, const struct meaning *m)
{
	struct parser inner = *ps;
	char name[80];

	snprintf(name, sizeof(name), "%.*s", AS_SLICE_FMT(m->name));
	inner.made = name;
	inner.lenient = m->ready;
	inner.p = m->formula.p;
	inner.end = m->formula.p + m->formula.len;
	inner.nested = 0;
	if (++inner.formulas > FORMULAS_MAX) {
		fail(&inner, "it is made of itself");
	} else {
		sum(&inner);
		if (inner.rc == AS_OK && next(&inner))
			fail(&inner, "it is not understood");
	}
	ps->depth = inner.depth;
	ps->rc = inner.rc;
}

static void put_meaning(struct parser *ps, const struct meaning *m)
{
	struct as_metric_op op = {.kind = m->kind, .event = m->event};

	if (m->kind == AS_METRIC_NUMBER) {
		put_formula(ps, m);
		return;
	}
	if (ps->total && m->kind == AS_METRIC_CALLS)
		fail(ps, "calls have no total");
	if (ps->total)
		op.kind = AS_METRIC_TOTAL;
	push(ps, op);
}

/* The events that NAME needs, if it is a metric that is known; else "". */
static const char *needs_of(struct as_slice name)
{
	for (const struct as_ready_metric *r = as_ready_metrics; r->name; r++)
		if (as_slice_is(name, r->name))
			return r->needs;
	return "";
}

/* Say what there is instead of NAME, which may be a metric whose events are not there. */
static void unknown(struct parser *ps, struct as_slice name)
{
	char what[400];
	const char *needs = needs_of(name);
	size_t n = (size_t)snprintf(what, sizeof(what), "'%.*s' %s%s; there %s",
		(int)(name.len < 60 ? name.len : 60), name.p,
		*needs ? "needs the events " : "is no event", needs,
		ps->prof->event.n ? "are:" : "is none");

	for (size_t i = 0; i < ps->prof->event.n && n + 60 < sizeof(what); i++) {
		struct as_slice event = as_str_get(ps->prof, ps->prof->event.p[i].name);

		n += (size_t)snprintf(what + n, sizeof(what) - n, "%s %.*s", i ? "," : "",
			(int)(event.len < 40 ? event.len : 40), event.p);
	}
	fail(ps, what);
}

static void name(struct parser *ps)
{
	struct as_slice rest = {ps->p, (size_t)(ps->end - ps->p)}, word = rest;
	bool quoted = *ps->p == '"';
	struct meaning m;

	if (quoted) {
		word = as_slice_skip(rest, 1);
		word.len = as_slice_find(word, '"');
		if (word.len + 1 >= rest.len) {
			fail(ps, "the quotes are not closed");
			return;
		}
	}
	m = find_name(ps->prof, word, quoted);
	if (!m.name.len) {
		for (size_t i = 0; !quoted && i < word.len; i++)
			if (!is_word(word.p[i]))
				word.len = i ? i : 1;
		if (!ps->lenient) {
			unknown(ps, word);
			return;
		}
		ps->p += word.len;
		push_number(ps, (struct as_number){.known = true, .whole = true});
		return;
	}
	ps->p += m.name.len + (quoted ? 2 : 0);
	put_meaning(ps, &m);
}

/* ---- expressions ---- */

/* "total(" or "percent(" */
static bool take_function(struct parser *ps, const char *word)
{
	struct as_slice rest = {ps->p, (size_t)(ps->end - ps->p)};
	const char *before = ps->p;

	if (!as_slice_starts(rest, word))
		return false;
	ps->p += strlen(word);
	if (take(ps, '('))
		return true;
	ps->p = before;
	return false;
}

static void close(struct parser *ps)
{
	if (ps->rc == AS_OK && !take(ps, ')'))
		fail(ps, "expected ')'");
}

/* The sum in brackets, of the totals. */
static void totals(struct parser *ps)
{
	bool before = ps->total;

	ps->total = true;
	sum(ps);
	ps->total = before;
}

/* 100 times the sum, by that of the totals: it is gone through twice. */
static void percent(struct parser *ps)
{
	const char *from = ps->p;

	push_number(ps, (struct as_number){.known = true, .whole = true, .n = 100, .x = 100});
	sum(ps);
	push(ps, (struct as_metric_op){.kind = AS_METRIC_MUL});
	ps->p = from;
	totals(ps);
	push(ps, (struct as_metric_op){.kind = AS_METRIC_DIV});
}

static void factor(struct parser *ps)
{
	char c = next(ps);

	if (ps->rc != AS_OK)
		return;
	if (++ps->nested > NESTED_MAX) {
		fail(ps, "too deep");
	} else if (take(ps, '-')) {
		push_number(ps, (struct as_number){.known = true, .whole = true});
		factor(ps);
		push(ps, (struct as_metric_op){.kind = AS_METRIC_SUB});
	} else if (take(ps, '(')) {
		sum(ps);
		close(ps);
	} else if (is_digit(c) || c == '.') {
		number(ps);
	} else if (take_function(ps, "total")) {
		totals(ps);
		close(ps);
	} else if (take_function(ps, "percent")) {
		percent(ps);
		close(ps);
	} else if (c == '\0') {
		fail(ps, "expected an event, a number or '('");
	} else {
		name(ps);
	}
	ps->nested--;
}

/* Whether a factor begins here: "10 Bm". */
static bool at_factor(struct parser *ps)
{
	char c = next(ps);

	return c == '(' || c == '"' || is_word(c);
}

static void term(struct parser *ps)
{
	factor(ps);
	while (ps->rc == AS_OK) {
		enum as_metric_kind kind = AS_METRIC_MUL;

		if (take(ps, '/'))
			kind = AS_METRIC_DIV;
		else if (!take(ps, '*') && !at_factor(ps))
			break;
		factor(ps);
		push(ps, (struct as_metric_op){.kind = kind});
	}
}

static void sum(struct parser *ps)
{
	(void)take(ps, '+');
	term(ps);
	while (ps->rc == AS_OK) {
		enum as_metric_kind kind = AS_METRIC_ADD;

		if (take(ps, '-'))
			kind = AS_METRIC_SUB;
		else if (!take(ps, '+'))
			break;
		term(ps);
		push(ps, (struct as_metric_op){.kind = kind});
	}
}

/* ---- all of it ---- */

bool as_ready_metric_fits(const struct as_profile *prof, const struct as_ready_metric *r)
{
	struct as_slice rest = as_slice_of(r->needs), one;
	uint32_t event;

	while (as_slice_cut(&rest, ' ', &one))
		if (!as_profile_event(prof, one, &event))
			return false;
	return true;
}

/* "NAME=EXPRESSION" or one of the two. */
static void take_name(struct parser *ps)
{
	struct as_slice text = as_slice_trim(ps->text);
	size_t eq = as_slice_find(text, '=');
	struct meaning m;

	ps->m->name = ps->m->formula = text;
	if (eq < text.len) {
		ps->m->name = as_slice_trim((struct as_slice){text.p, eq});
		ps->m->formula = as_slice_trim(as_slice_skip(text, eq + 1));
	} else {
		m = find_name(ps->prof, text, true);
		if (m.formula.len)
			ps->m->formula = m.formula;
	}
	ps->p = text.p + (eq < text.len ? eq + 1 : 0);
	ps->end = text.p + text.len;
	if (!ps->m->name.len) {
		ps->p = text.p;
		fail(ps, eq < text.len ? "expected a name before '='"
				       : "expected an event, a number or '('");
	}
}

enum as_code as_metric_parse(const struct as_profile *prof, const struct as_alloc *al,
	struct as_slice text, struct as_metric *out, struct as_err *err)
{
	struct parser ps = {.prof = prof, .m = out, .err = err, .text = text};

	*out = (struct as_metric){.al = al};
	take_name(&ps);
	if (ps.rc == AS_OK)
		sum(&ps);
	if (ps.rc == AS_OK && next(&ps))
		fail(&ps, "expected an operator");
	return ps.rc;
}
