/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of a gate: read from left to right, no step back. */
#include "diff/gate.h"

enum { DEPTH_MAX = 64, NUMBER_DIGITS = 15 };

struct parser {
	struct as_gate *g;
	struct as_lexer lx;
	unsigned depth;
	struct as_err *err;
};

static enum as_code gate_wrong(struct parser *p, size_t at, const char *what)
{
	enum as_code rc = as_err_set(p->err, AS_E_ARG, "%s", what);

	if (p->err)
		p->err->off = at;
	return rc;
}

/* At the place, behind blanks, WHAT was expected. */
static enum as_code gate_expected(struct parser *p, const char *what)
{
	(void)as_lex_peek(&p->lx);
	return gate_wrong(p, p->lx.at, what);
}

static enum as_code gate_take(struct parser *p, char c, const char *what)
{
	return as_lex_take(&p->lx, c) ? AS_OK : gate_expected(p, what);
}

/* "and", or the sign twice: "&&" */
static bool gate_take_word(struct parser *p, const char *word, char sign)
{
	const char twice[] = {sign, sign, '\0'};
	size_t n = 0;

	(void)as_lex_peek(&p->lx);
	if (as_slice_is(as_lex_run(&p->lx, as_lex_is_letter), word))
		n = strlen(word);
	else if (as_slice_starts(as_lex_rest(&p->lx), twice))
		n = 2;
	p->lx.at += n;
	return n > 0;
}

static bool gate_is_bare(char c)
{
	return as_lex_is_word(c) || c == '.' || c == ':' || c == '-';
}

static enum as_code gate_take_name(
	struct parser *p, bool bare, const char *what, struct as_slice *out)
{
	char c = as_lex_peek(&p->lx);
	size_t start = p->lx.at;

	*out = (struct as_slice){NULL, 0};
	if (c == '\'' || c == '"') {
		if (!as_lex_quoted(&p->lx, out))
			return gate_wrong(p, start, "this quote is not closed");
		p->lx.at += out->len + 2;
		what = "there is no name between the quotes";
	} else if (bare) {
		*out = as_lex_run(&p->lx, gate_is_bare);
		p->lx.at += out->len;
	}
	return out->len ? AS_OK : gate_wrong(p, start, what);
}

static enum as_code gate_take_figure(struct parser *p, struct as_gate_node *n)
{
	static const char *const word[] = {"total", "self", "incl"};
	struct as_slice w;

	(void)as_lex_peek(&p->lx);
	w = as_lex_run(&p->lx, as_lex_is_letter);
	for (n->figure = AS_GATE_TOTAL; n->figure <= AS_GATE_INCL; n->figure++)
		if (as_slice_is(w, word[n->figure]))
			break;
	if (n->figure > AS_GATE_INCL)
		return gate_expected(p, "expected total(...), self(...) or incl(...)");
	p->lx.at += w.len;
	AS_TRY(gate_take(p, '(', "expected '(' and an event"));
	AS_TRY(gate_take_name(p, true, "expected an event", &n->event));
	if (n->figure != AS_GATE_TOTAL) {
		AS_TRY(gate_take(p, ',', "expected ',' and a function's name in quotes"));
		AS_TRY(gate_take_name(p, false, "expected a function's name in quotes", &n->name));
		if (as_lex_take(&p->lx, ','))
			AS_TRY(gate_take_name(
				p, false, "expected an object's name in quotes", &n->object));
	}
	return gate_take(p, ')', "expected ')'");
}

static enum as_code gate_take_op(struct parser *p, struct as_gate_node *n)
{
	char c = as_lex_peek(&p->lx);
	bool equal = as_slice_starts(as_slice_skip(as_lex_rest(&p->lx), c != '\0'), "=");

	if (c != '>' && c != '<')
		return gate_expected(p, "expected >, >=, < or <=");
	if (n->two_sided && c == '<')
		return gate_expected(p, "between bars only > and >= make sense");
	n->op = c == '>' ? AS_GATE_GT : AS_GATE_LT;
	n->op += equal;
	p->lx.at += equal ? 2 : 1;
	return AS_OK;
}

/* Digits with a point, at most as many as are exact everywhere. */
static enum as_code gate_take_digits(struct parser *p, struct as_gate_node *n)
{
	struct as_slice s = as_lex_rest(&p->lx);
	unsigned digits = 0;
	bool point = false;
	size_t i;

	for (i = 0; i < s.len && (as_lex_is_digit(s.p[i]) || (s.p[i] == '.' && !point)); i++) {
		if (s.p[i] == '.') {
			point = true;
			continue;
		}
		if (++digits > NUMBER_DIGITS || (point && n->decimals == AS_GATE_DIGITS))
			return gate_expected(p, "this number has too many digits");
		n->number = n->number * 10 + (s.p[i] - '0');
		n->decimals += point;
	}
	if (!digits)
		return gate_wrong(p, p->lx.at, "expected a number, such as +1% or 5000");
	p->lx.at += i;
	return AS_OK;
}

static enum as_code gate_take_suffix(struct parser *p, struct as_gate_node *n)
{
	static const struct {
		const char *word;
		unsigned up, down; /* powers of ten */
		bool is_time;
	} suffix[] = {{"k", 3, 0, false}, {"M", 6, 0, false}, {"G", 9, 0, false}, {"s", 0, 0, true},
		{"ms", 0, 3, true}, {"us", 0, 6, true}, {"ns", 0, 9, true}};
	struct as_slice w = as_lex_run(&p->lx, as_lex_is_letter);

	for (size_t i = 0; i < AS_ARRAY_LEN(suffix); i++) {
		if (!as_slice_is(w, suffix[i].word))
			continue;
		n->is_time = suffix[i].is_time;
		if (n->decimals + suffix[i].down > AS_GATE_DIGITS)
			return gate_expected(p, "this limit is finer than a nanosecond");
		n->decimals += suffix[i].down;
		p->lx.at += w.len;
		for (unsigned up = suffix[i].up; up; up--)
			n->number *= 10;
		return AS_OK;
	}
	return gate_expected(p, "expected %, k, M, G, s, ms, us or ns behind a number");
}

static enum as_code gate_take_limit(struct parser *p, struct as_gate_node *n)
{
	char sign = as_lex_peek(&p->lx);
	size_t start = p->lx.at;

	if (sign == '+' || sign == '-')
		p->lx.at++;
	else
		sign = 0;
	AS_TRY(gate_take_digits(p, n));
	n->limit = sign || n->two_sided ? AS_GATE_CHANGE : AS_GATE_VALUE;
	if (as_lex_run(&p->lx, as_lex_is_letter).len)
		AS_TRY(gate_take_suffix(p, n));
	else if (as_lex_take(&p->lx, '%'))
		n->limit = AS_GATE_PERCENT;
	if (sign == '-' && n->two_sided)
		return gate_wrong(p, start, "the size of a change is never below 0");
	if (sign == '-')
		n->number = -n->number;
	if (n->limit == AS_GATE_PERCENT) {
		as_val whole = -100;

		for (unsigned i = 0; i < n->decimals; i++)
			whole *= 10;
		if (n->number < whole)
			return gate_wrong(p, start, "nothing shrinks by more than 100 %");
	}
	return AS_OK;
}

static enum as_code gate_push(struct parser *p, const struct as_gate_node *n, uint32_t *out)
{
	*out = (uint32_t)p->g->node.n;
	return as_vec_push(p->g->arena.al, &p->g->node, *n) ? AS_OK : as_err_no_memory(p->err);
}

static enum as_code gate_take_compare(struct parser *p, uint32_t *out)
{
	struct as_gate_node n = {.kind = AS_GATE_COMPARE};
	size_t start;

	n.two_sided = as_lex_take(&p->lx, '|');
	start = p->lx.at - n.two_sided;
	AS_TRY(gate_take_figure(p, &n));
	if (n.two_sided)
		AS_TRY(gate_take(p, '|', "expected the second '|'"));
	AS_TRY(gate_take_op(p, &n));
	AS_TRY(gate_take_limit(p, &n));
	n.text = as_slice_trim((struct as_slice){p->lx.text.p + start, p->lx.at - start});
	return gate_push(p, &n, out);
}

static enum as_code gate_take_expr(struct parser *p, uint32_t *out);

static enum as_code gate_take_factor(struct parser *p, uint32_t *out)
{
	size_t start;
	enum as_code rc;

	(void)as_lex_peek(&p->lx);
	start = p->lx.at;
	if (!as_lex_take(&p->lx, '('))
		return gate_take_compare(p, out);
	if (++p->depth > DEPTH_MAX)
		return gate_wrong(p, start, "brackets are nested too deeply");
	rc = gate_take_expr(p, out);
	p->depth--;
	AS_TRY(rc);
	return as_lex_take(&p->lx, ')') ? AS_OK
					: gate_wrong(p, start, "this bracket is not closed");
}

static enum as_code gate_take_term(struct parser *p, uint32_t *out)
{
	AS_TRY(gate_take_factor(p, out));
	while (gate_take_word(p, "and", '&')) {
		struct as_gate_node n = {.kind = AS_GATE_AND, .left = *out};

		AS_TRY(gate_take_factor(p, &n.right));
		AS_TRY(gate_push(p, &n, out));
	}
	return AS_OK;
}

static enum as_code gate_take_expr(struct parser *p, uint32_t *out)
{
	AS_TRY(gate_take_term(p, out));
	while (gate_take_word(p, "or", '|')) {
		struct as_gate_node n = {.kind = AS_GATE_OR, .left = *out};

		AS_TRY(gate_take_term(p, &n.right));
		AS_TRY(gate_push(p, &n, out));
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
	while (text.len && as_lex_is_blank(text.p[text.len - 1]))
		text.len--;
	p.lx.text = g->text = as_arena_dup(&g->arena, text);
	AS_TRY(as_err_memory(err, g->text.p));
	if (!as_lex_peek(&p.lx))
		return gate_expected(&p, "there is no condition");
	AS_TRY(gate_take_expr(&p, &root));
	if (as_lex_peek(&p.lx) || p.lx.at < p.lx.text.len)
		return gate_expected(&p, "expected 'and', 'or' or the end");
	return AS_OK;
}

void as_gate_free(struct as_gate *g)
{
	as_vec_free(g->arena.al, &g->node);
	as_arena_release(&g->arena);
}
