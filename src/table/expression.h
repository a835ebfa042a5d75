/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The language of metrics and gates. Formulas are
 *
 *	sum	 ["+"] term (("+" | "-") term)*
 *	term	 factor (("*" | "/") factor | factor)*	two beside one another are multiplied
 *	factor	 ["-"] (number | name | "total" "(" name ")" | "percent" "(" sum ")" | "(" sum ")")
 *
 * A name is the longest that is known there, so that "L1-misses" may be one; or in double quotes.
 * Names of computed events and ready metrics stand for their formulas. Conditions are comparisons
 * of what events or formulas come to: diff/gate.h. They are read before it is known which events
 * there are; so what stands in the place of an event is taken apart, as a formula, when they are.
 */
#ifndef AS_TABLE_EXPRESSION_H
#define AS_TABLE_EXPRESSION_H

#include "table/metric.h"

/* ---- letters ---- */

/* A text, and the place in it that was read up to. */
struct as_lexer {
	struct as_slice text;
	size_t at;
};

static inline bool as_lex_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool as_lex_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool as_lex_is_word(char c)
{
	return as_lex_is_letter(c) || as_lex_is_digit(c);
}

/* Ends of lines, too: expressions come out of YAML. */
static inline bool as_lex_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* What was not read yet. */
static inline struct as_slice as_lex_rest(const struct as_lexer *lx)
{
	as_assert(lx->at <= lx->text.len);
	return as_slice_skip(lx->text, lx->at);
}

/* The letter at the place, behind blanks; 0: the end. */
static inline char as_lex_peek(struct as_lexer *lx)
{
	while (lx->at < lx->text.len && as_lex_is_blank(lx->text.p[lx->at]))
		lx->at++;
	if (lx->at == lx->text.len)
		return '\0';
	return lx->text.p[lx->at];
}

static inline bool as_lex_take(struct as_lexer *lx, char c)
{
	if (!c || as_lex_peek(lx) != c)
		return false;
	lx->at++;
	return true;
}

/* The run at the place of bytes that IS holds for; empty if there is none. */
struct as_slice as_lex_run(const struct as_lexer *lx, bool (*is)(char c));
/* What stands in quotes as the one at the place; the place stays there. False: they are not
 * closed. */
AS_NODISCARD bool as_lex_quoted(const struct as_lexer *lx, struct as_slice *out);

/* ---- formulas ---- */

/* What formulas may name: events, and, unless PROF is NULL, what it computes. */
struct as_expression_names {
	uint32_t n_events;
	struct as_slice (*event)(const void *ctx, uint32_t event);
	const void *ctx;
	const struct as_profile *prof;
};

/* As as_metric_parse(). */
enum as_code as_expression_parse(const struct as_expression_names *names, const struct as_alloc *al,
	struct as_slice text, struct as_metric *out, struct as_err *err) AS_NODISCARD;

#endif
