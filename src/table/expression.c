/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas of metrics: by recursive descent. */
#include "table/expression.h"

#include <stdlib.h>

enum { NESTED_MAX = 32, FORMULAS_MAX = 16, NUMBER_MAX = 40 };

struct parser {
	struct as_lexer lx;
	const struct as_expression_names *names;
	struct as_metric *m;
	struct as_err *err;
	struct as_slice text;      /* the user's */
	unsigned nested, formulas; /* that the place is in */
	uint32_t depth;            /* of the stack now */
	const char *made; /* the formula at hand is that of this name, not the user's; or NULL */
	bool total;       /* events stand for their totals */
	bool lenient;     /* events that are not there count as 0 */
	enum as_code rc;
};

struct as_slice as_lex_run(const struct as_lexer *lx, bool (*is)(char c))
{
	struct as_slice rest = as_lex_rest(lx);
	size_t n = 0;

	while (n < rest.len && is(rest.p[n]))
		n++;
	rest.len = n;
	return rest;
}

bool as_lex_quoted(const struct as_lexer *lx, struct as_slice *out)
{
	struct as_slice rest = as_lex_rest(lx);

	as_assert(rest.len > 0);
	*out = as_slice_skip(rest, 1);
	out->len = as_slice_find(*out, rest.p[0]);
	return out->len + 1 < rest.len;
}

static void expr_sum(struct parser *ps);

static void expr_fail(struct parser *ps, const char *what)
{
	if (ps->rc != AS_OK)
		return;
	if (ps->made)
		ps->rc = as_err_set(ps->err, AS_E_ARG, "the formula of '%s': %s", ps->made, what);
	else
		ps->rc = as_err_set(ps->err, AS_E_ARG, "metric '%.*s', column %zu: %s",
			AS_SLICE_FMT(ps->text), ps->lx.at + 1, what);
}

static void expr_push(struct parser *ps, struct as_metric_op op)
{
	bool operand = op.kind <= AS_METRIC_CALLS;

	ps->depth = operand ? ps->depth + 1 : ps->depth - 1;
	if (ps->depth > AS_METRIC_DEPTH)
		expr_fail(ps, "too deep");
	if (ps->depth > ps->m->depth)
		ps->m->depth = ps->depth;
	if (ps->rc == AS_OK && !as_vec_push(ps->m->al, &ps->m->op, op))
		ps->rc = as_err_no_memory(ps->err);
}

static void expr_push_number(struct parser *ps, struct as_number n)
{
	expr_push(ps, (struct as_metric_op){.kind = AS_METRIC_NUMBER, .number = n});
}

static bool expr_is_number(char c)
{
	return as_lex_is_digit(c) || c == '.';
}

/* "10", "0.5" */
static void expr_number(struct parser *ps)
{
	struct as_slice s = as_lex_run(&ps->lx, expr_is_number);
	struct as_number n = {.known = true, .whole = as_slice_find(s, '.') == s.len};
	char text[NUMBER_MAX], *end;
	uint64_t v;

	if (s.len >= sizeof(text) || (n.whole && !as_slice_dec(s, &v))) {
		expr_fail(ps, "the number is too large");
		return;
	}
	if (n.whole) {
		n.n = (as_val)v;
		n.x = (double)v;
	} else {
		memcpy(text, s.p, s.len);
		text[s.len] = '\0';
		n.x = strtod(text, &end);
		if (*end) {
			expr_fail(ps, "that is no number");
			return;
		}
	}
	ps->lx.at += s.len;
	expr_push_number(ps, n);
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

static void expr_consider(
	struct meaning *best, struct as_slice rest, bool whole, const struct meaning *candidate)
{
	struct as_slice name = candidate->name;

	if (name.len <= best->name.len || name.len > rest.len || (whole && name.len != rest.len) ||
		memcmp(name.p, rest.p, name.len) != 0)
		return;
	if (name.len < rest.len && as_lex_is_word(name.p[name.len - 1]) &&
		as_lex_is_word(rest.p[name.len]))
		return;
	*best = *candidate;
}

/* The events that R needs are there. */
static bool expr_has_needs(const struct as_expression_names *names, const struct as_ready_metric *r)
{
	struct as_slice rest = as_slice_of(r->needs), one;

	while (as_slice_cut(&rest, ' ', &one)) {
		uint32_t i = 0;

		while (i < names->n_events && !as_slice_eq(names->event(names->ctx, i), one))
			i++;
		if (i == names->n_events)
			return false;
	}
	return true;
}

/* The longest name that REST begins with; with WHOLE, that it is. */
static struct meaning expr_find(
	const struct as_expression_names *names, struct as_slice rest, bool whole)
{
	struct meaning best = {.name = {NULL, 0}}, m;

	for (uint32_t i = 0; i < names->n_events; i++) {
		m = (struct meaning){
			.name = names->event(names->ctx, i), .kind = AS_METRIC_EVENT, .event = i};
		expr_consider(&best, rest, whole, &m);
	}
	for (size_t i = 0; names->prof && i < names->prof->derived.n; i++) {
		const struct as_derived *d = &names->prof->derived.p[i];

		m = (struct meaning){.name = as_str_get(names->prof, d->name),
			.formula = as_str_get(names->prof, d->formula)};
		if (!d->bare)
			expr_consider(&best, rest, whole, &m);
	}
	m = (struct meaning){.name = as_slice_of("calls"), .kind = AS_METRIC_CALLS};
	expr_consider(&best, rest, whole, &m);
	for (const struct as_ready_metric *r = as_ready_metrics; r->name; r++) {
		m = (struct meaning){.name = as_slice_of(r->name),
			.formula = as_slice_of(r->formula),
			.ready = true};
		if (expr_has_needs(names, r))
			expr_consider(&best, rest, whole, &m);
	}
	return best;
}

static void expr_put_formula(struct parser *ps, const struct meaning *m)
{
	struct parser inner = *ps;
	char name[80];

	snprintf(name, sizeof(name), "%.*s", AS_SLICE_FMT(m->name));
	inner.made = name;
	inner.lenient = m->ready;
	inner.lx = (struct as_lexer){.text = m->formula};
	inner.nested = 0;
	if (++inner.formulas > FORMULAS_MAX) {
		expr_fail(&inner, "it is made of itself");
	} else {
		expr_sum(&inner);
		if (inner.rc == AS_OK && as_lex_peek(&inner.lx))
			expr_fail(&inner, "it is not understood");
	}
	ps->depth = inner.depth;
	ps->rc = inner.rc;
}

static void expr_put_meaning(struct parser *ps, const struct meaning *m)
{
	struct as_metric_op op = {.kind = m->kind, .event = m->event};

	if (m->kind == AS_METRIC_NUMBER) {
		expr_put_formula(ps, m);
		return;
	}
	if (ps->total && m->kind == AS_METRIC_CALLS)
		expr_fail(ps, "calls have no total");
	if (ps->total)
		op.kind = AS_METRIC_TOTAL;
	expr_push(ps, op);
}

/* The events that NAME needs, if it is a metric that is known; else "". */
static const char *expr_needs_of(struct as_slice name)
{
	for (const struct as_ready_metric *r = as_ready_metrics; r->name; r++)
		if (as_slice_is(name, r->name))
			return r->needs;
	return "";
}

/* Say what there is instead of NAME, which may be a metric whose events are not there. */
static void expr_unknown(struct parser *ps, struct as_slice name)
{
	char what[400];
	const char *needs = expr_needs_of(name);
	size_t n = (size_t)snprintf(what, sizeof(what), "'%.*s' %s%s; there %s",
		(int)(name.len < 60 ? name.len : 60), name.p,
		*needs ? "needs the events " : "is no event", needs,
		ps->names->n_events ? "are:" : "is none");

	for (uint32_t i = 0; i < ps->names->n_events && n + 60 < sizeof(what); i++) {
		struct as_slice event = ps->names->event(ps->names->ctx, i);

		n += (size_t)snprintf(what + n, sizeof(what) - n, "%s %.*s", i ? "," : "",
			(int)(event.len < 40 ? event.len : 40), event.p);
	}
	expr_fail(ps, what);
}

static void expr_name(struct parser *ps)
{
	struct as_slice word = as_lex_rest(&ps->lx);
	bool quoted = *word.p == '"';
	struct meaning m;

	if (quoted && !as_lex_quoted(&ps->lx, &word)) {
		expr_fail(ps, "the quotes are not closed");
		return;
	}
	m = expr_find(ps->names, word, quoted);
	if (m.name.len) {
		ps->lx.at += m.name.len + (quoted ? 2 : 0);
		expr_put_meaning(ps, &m);
		return;
	}
	if (!quoted)
		word.len = as_lex_is_word(*word.p) ? as_lex_run(&ps->lx, as_lex_is_word).len : 1;
	if (!ps->lenient) {
		expr_unknown(ps, word);
		return;
	}
	ps->lx.at += word.len;
	expr_push_number(ps, (struct as_number){.known = true, .whole = true});
}

/* ---- expressions ---- */

/* "total(" or "percent(" */
static bool expr_take_function(struct parser *ps, const char *word)
{
	size_t before = ps->lx.at;

	if (!as_slice_starts(as_lex_rest(&ps->lx), word))
		return false;
	ps->lx.at += strlen(word);
	if (as_lex_take(&ps->lx, '('))
		return true;
	ps->lx.at = before;
	return false;
}

static void expr_close(struct parser *ps)
{
	if (ps->rc == AS_OK && !as_lex_take(&ps->lx, ')'))
		expr_fail(ps, "expected ')'");
}

/* The sum in brackets, of the totals. */
static void expr_totals(struct parser *ps)
{
	bool before = ps->total;

	ps->total = true;
	expr_sum(ps);
	ps->total = before;
}

/* 100 times the sum, by that of the totals: it is gone through twice. */
static void expr_percent(struct parser *ps)
{
	size_t from = ps->lx.at;

	expr_push_number(ps, (struct as_number){.known = true, .whole = true, .n = 100, .x = 100});
	expr_sum(ps);
	expr_push(ps, (struct as_metric_op){.kind = AS_METRIC_MUL});
	ps->lx.at = from;
	expr_totals(ps);
	expr_push(ps, (struct as_metric_op){.kind = AS_METRIC_DIV});
}

static void expr_factor(struct parser *ps)
{
	char c = as_lex_peek(&ps->lx);

	if (ps->rc != AS_OK)
		return;
	if (++ps->nested > NESTED_MAX) {
		expr_fail(ps, "too deep");
	} else if (as_lex_take(&ps->lx, '-')) {
		expr_push_number(ps, (struct as_number){.known = true, .whole = true});
		expr_factor(ps);
		expr_push(ps, (struct as_metric_op){.kind = AS_METRIC_SUB});
	} else if (as_lex_take(&ps->lx, '(')) {
		expr_sum(ps);
		expr_close(ps);
	} else if (as_lex_is_digit(c) || c == '.') {
		expr_number(ps);
	} else if (expr_take_function(ps, "total")) {
		expr_totals(ps);
		expr_close(ps);
	} else if (expr_take_function(ps, "percent")) {
		expr_percent(ps);
		expr_close(ps);
	} else if (c == '\0') {
		expr_fail(ps, "expected an event, a number or '('");
	} else {
		expr_name(ps);
	}
	ps->nested--;
}

/* Whether a factor begins here: "10 Bm". */
static bool expr_at_factor(struct parser *ps)
{
	char c = as_lex_peek(&ps->lx);

	return c == '(' || c == '"' || as_lex_is_word(c);
}

static void expr_term(struct parser *ps)
{
	expr_factor(ps);
	while (ps->rc == AS_OK) {
		enum as_metric_kind kind = AS_METRIC_MUL;

		if (as_lex_take(&ps->lx, '/'))
			kind = AS_METRIC_DIV;
		else if (!as_lex_take(&ps->lx, '*') && !expr_at_factor(ps))
			break;
		expr_factor(ps);
		expr_push(ps, (struct as_metric_op){.kind = kind});
	}
}

static void expr_sum(struct parser *ps)
{
	(void)as_lex_take(&ps->lx, '+');
	expr_term(ps);
	while (ps->rc == AS_OK) {
		enum as_metric_kind kind = AS_METRIC_ADD;

		if (as_lex_take(&ps->lx, '-'))
			kind = AS_METRIC_SUB;
		else if (!as_lex_take(&ps->lx, '+'))
			break;
		expr_term(ps);
		expr_push(ps, (struct as_metric_op){.kind = kind});
	}
}

/* ---- all of it ---- */

/* "NAME=EXPRESSION" or one of the two. */
static void expr_take_name(struct parser *ps)
{
	struct as_metric *m = ps->m;
	size_t eq = as_slice_find(ps->text, '=');
	struct meaning ready;

	m->name = m->formula = as_slice_trim(ps->text);
	(void)as_lex_peek(&ps->lx);
	if (eq < ps->text.len) {
		m->name = as_slice_trim((struct as_slice){ps->text.p, eq});
		m->formula = as_slice_trim(as_slice_skip(ps->text, eq + 1));
	} else {
		ready = expr_find(ps->names, m->name, true);
		if (ready.formula.len)
			m->formula = ready.formula;
	}
	if (!m->name.len)
		expr_fail(ps, eq < ps->text.len ? "expected a name before '='"
						: "expected an event, a number or '('");
	if (eq < ps->text.len)
		ps->lx.at = eq + 1;
}

enum as_code as_expression_parse(const struct as_expression_names *names, const struct as_alloc *al,
	struct as_slice text, struct as_metric *out, struct as_err *err)
{
	struct parser ps = {.names = names, .m = out, .err = err, .text = text, .lx = {text, 0}};

	*out = (struct as_metric){.al = al};
	expr_take_name(&ps);
	if (ps.rc == AS_OK)
		expr_sum(&ps);
	if (ps.rc == AS_OK && (as_lex_peek(&ps.lx) || ps.lx.at < text.len))
		expr_fail(&ps, "expected an operator");
	return ps.rc;
}
