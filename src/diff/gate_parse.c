/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of a gate: read from left to right, no step back. */
#include "diff/gate.h"

enum { DEPTH_MAX = 64, NUMBER_DIGITS = 15 };

struct parser {
	struct as_gate *g;
	struct as_slice s;
	size_t at;
	unsigned depth;
	struct as_err *err;
};

static enum as_code wrong(struct parser *p, size_t at, const char *what)
{
	enum as_code rc = as_err_set(p->err, AS_E_ARG, "%s", what);

	if (p->err)
		p->err->off = at;
	return rc;
}

/* Ends of lines, too: expressions come out of YAML. */
static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void blanks(struct parser *p)
{
	while (p->at < p->s.len && is_blank(p->s.p[p->at]))
		p->at++;
}

static char peek(struct parser *p)
{
	blanks(p);
	return p->at < p->s.len ? p->s.p[p->at] : 0;
}

static bool take_char(struct parser *p, char c)
{
	if (peek(p) != c)
		return false;
	p->at++;
	return true;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The run of letters at the place; empty if there is none. */
static struct as_slice word_here(struct parser *p)
{
	size_t end;

	blanks(p);
	for (end = p->at; end < p->s.len && is_letter(p->s.p[end]); end++)
		;
	return (struct as_slice){p->s.p + p->at, end - p->at};
}

static bool take_word(struct parser *p, const char *word, char sign)
{
	if (as_slice_is(word_here(p), word)) {
		p->at += strlen(word);
		return true;
	}
	if (peek(p) == sign && p->at + 1 < p->s.len && p->s.p[p->at + 1] == sign) {
		p->at += 2;
		return true;
	}
	return false;
}

static enum as_code take_quoted(struct parser *p, char quote, struct as_slice *out)
{
	size_t start = ++p->at;

	while (p->at < p->s.len && p->s.p[p->at] != quote)
		p->at++;
	if (p->at == p->s.len)
		return wrong(p, start - 1, "this quote is not closed");
	*out = (struct as_slice){p->s.p + start, p->at++ - start};
	return out->len ? AS_OK : wrong(p, start - 1, "there is no name between the quotes");
}

static enum as_code take_name(struct parser *p, bool bare, const char *what, struct as_slice *out)
{
	char c = peek(p);
	size_t start = p->at;

	if (c == '\'' || c == '"')
		return take_quoted(p, c, out);
	while (bare && p->at < p->s.len &&
		(is_letter(p->s.p[p->at]) || is_digit(p->s.p[p->at]) ||
			(p->s.p[p->at] && strchr(".:-", p->s.p[p->at]))))
		p->at++;
	*out = (struct as_slice){p->s.p + start, p->at - start};
	return out->len ? AS_OK : wrong(p, start, what);
}

static enum as_code take_metric(struct parser *p, struct as_gate_node *n)
{
	static const char *const word[] = {"total", "self", "incl"};
	struct as_slice w = word_here(p);

	for (n->metric = AS_GATE_TOTAL; n->metric <= AS_GATE_INCL; n->metric++)
		if (as_slice_is(w, word[n->metric]))
			break;
	if (n->metric > AS_GATE_INCL)
		return wrong(p, p->at, "expected total(...), self(...) or incl(...)");
	p->at += w.len;
	if (!take_char(p, '('))
		return wrong(p, p->at, "expected '(' and an event");
	AS_TRY(take_name(p, true, "expected an event", &n->event));
	if (n->metric != AS_GATE_TOTAL) {
		if (!take_char(p, ','))
			return wrong(p, p->at, "expected ',' and a function's name in quotes");
		AS_TRY(take_name(p, false, "expected a function's name in quotes", &n->name));
		if (take_char(p, ','))
			AS_TRY(take_name(
				p, false, "expected an object's name in quotes", &n->object));
	}
	return take_char(p, ')') ? AS_OK : wrong(p, p->at, "expected ')'");
}

static enum as_code take_op(struct parser *p, struct as_gate_node *n)
{
	char c = peek(p);
	bool equal = p->at + 1 < p->s.len && p->s.p[p->at + 1] == '=';

	if (c != '>' && c != '<')
		return wrong(p, p->at, "expected >, >=, < or <=");
	if (n->two_sided && c == '<')
		return wrong(p, p->at, "between bars only > and >= make sense");
	n->op = c == '>' ? AS_GATE_GT : AS_GATE_LT;
	n->op += equal;
	p->at += equal ? 2 : 1;
	return AS_OK;
}

/* Digits with a point, at most as many as are exact everywhere. */
static enum as_code take_digits(struct parser *p, struct as_gate_node *n)
{
	size_t start = p->at;
	unsigned digits = 0;
	bool point = false;

	for (; p->at < p->s.len; p->at++) {
		char c = p->s.p[p->at];

		if (c == '.' && !point) {
			point = true;
			continue;
		}
		if (!is_digit(c))
			break;
		if (++digits > NUMBER_DIGITS || (point && n->decimals == AS_GATE_DIGITS))
			return wrong(p, start, "this number has too many digits");
		n->number = n->number * 10 + (c - '0');
		n->decimals += point;
	}
	return digits ? AS_OK : wrong(p, start, "expected a number, such as +1% or 5000");
}

static enum as_code take_suffix(struct parser *p, struct as_gate_node *n)
{
	static const struct {
		const char *word;
		unsigned up, down; /* powers of ten */
		bool is_time;
	} suffix[] = {{"k", 3, 0, false}, {"M", 6, 0, false}, {"G", 9, 0, false}, {"s", 0, 0, true},
		{"ms", 0, 3, true}, {"us", 0, 6, true}, {"ns", 0, 9, true}};
	struct as_slice w = {p->s.p + p->at, 0};

	while (p->at + w.len < p->s.len && is_letter(p->s.p[p->at + w.len]))
		w.len++;
	for (size_t i = 0; i < AS_ARRAY_LEN(suffix); i++) {
		if (!as_slice_is(w, suffix[i].word))
			continue;
		n->is_time = suffix[i].is_time;
		if (n->decimals + suffix[i].down > AS_GATE_DIGITS)
			return wrong(p, p->at, "this limit is finer than a nanosecond");
		n->decimals += suffix[i].down;
		p->at += w.len;
		for (unsigned up = suffix[i].up; up; up--)
			n->number *= 10;
		return AS_OK;
	}
	return wrong(p, p->at, "expected %, k, M, G, s, ms, us or ns behind a number");
}

static enum as_code take_limit(struct parser *p, struct as_gate_node *n)
{
	char sign = peek(p);
	size_t start = p->at;

	if (sign == '+' || sign == '-')
		p->at++;
	else
		sign = 0;
	AS_TRY(take_digits(p, n));
	n->limit = sign || n->two_sided ? AS_GATE_CHANGE : AS_GATE_VALUE;
	if (p->at < p->s.len && is_letter(p->s.p[p->at]))
		AS_TRY(take_suffix(p, n));
	else if (take_char(p, '%'))
		n->limit = AS_GATE_PERCENT;
	if (sign == '-' && n->two_sided)
		return wrong(p, start, "the size of a change is never below 0");
	if (sign == '-')
		n->number = -n->number;
	if (n->limit == AS_GATE_PERCENT) {
		as_val whole = -100;

		for (unsigned i = 0; i < n->decimals; i++)
			whole *= 10;
		if (n->number < whole)
			return wrong(p, start, "nothing shrinks by more than 100 %");
	}
	return AS_OK;
}

static enum as_code push(struct parser *p, const struct as_gate_node *n, uint32_t *out)
{
	*out = (uint32_t)p->g->node.n;
	return as_vec_push(p->g->arena.al, &p->g->node, *n) ? AS_OK : as_err_no_memory(p->err);
}

static enum as_code take_compare(struct parser *p, uint32_t *out)
{
	struct as_gate_node n = {.kind = AS_GATE_COMPARE};
	size_t start;

	n.two_sided = take_char(p, '|');
	start = p->at - n.two_sided;
	AS_TRY(take_metric(p, &n));
	if (n.two_sided && !take_char(p, '|'))
		return wrong(p, p->at, "expected the second '|'");
	AS_TRY(take_op(p, &n));
	AS_TRY(take_limit(p, &n));
	n.text = as_slice_trim((struct as_slice){p->s.p + start, p->at - start});
	return push(p, &n, out);
}

static enum as_code take_expr(struct parser *p, uint32_t *out);

static enum as_code take_factor(struct parser *p, uint32_t *out)
{
	size_t start;
	enum as_code rc;

	blanks(p);
	start = p->at;
	if (!take_char(p, '('))
		return take_compare(p, out);
	if (++p->depth > DEPTH_MAX)
		return wrong(p, start, "brackets are nested too deeply");
	rc = take_expr(p, out);
	p->depth--;
	AS_TRY(rc);
	return take_char(p, ')') ? AS_OK : wrong(p, start, "this bracket is not closed");
}

static enum as_code take_term(struct parser *p, uint32_t *out)
{
	AS_TRY(take_factor(p, out));
	while (take_word(p, "and", '&')) {
		struct as_gate_node n = {.kind = AS_GATE_AND, .left = *out};

		AS_TRY(take_factor(p, &n.right));
		AS_TRY(push(p, &n, out));
	}
	return AS_OK;
}

static enum as_code take_expr(struct parser *p, uint32_t *out)
{
	AS_TRY(take_term(p, out));
	while (take_word(p, "or", '|')) {
		struct as_gate_node n = {.kind = AS_GATE_OR, .left = *out};

		AS_TRY(take_term(p, &n.right));
		AS_TRY(push(p, &n, out));
	}
	return AS_OK;
}

enum as_code as_gate_parse(
	struct as_gate *g, const struct as_alloc *al, struct as_slice text, struct as_err *err)
{
	struct parser p = {.g = g, .err = err};
	uint32_t root;

	*g = (struct as_gate){0};
	as_arena_init(&g->arena, al);
	while (text.len && is_blank(text.p[text.len - 1]))
		text.len--;
	p.s = g->text = as_arena_dup(&g->arena, text);
	if (!g->text.p)
		return as_err_no_memory(err);
	if (!peek(&p))
		return wrong(&p, p.at, "there is no condition");
	AS_TRY(take_expr(&p, &root));
	if (peek(&p) || p.at < p.s.len)
		return wrong(&p, p.at, "expected 'and', 'or' or the end");
	return AS_OK;
}

void as_gate_free(struct as_gate *g)
{
	as_vec_free(g->arena.al, &g->node);
	as_arena_release(&g->arena);
}
