/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/csv.h"

#include "base/utf8_len.h"

static void csv_comma(struct as_csv *c)
{
	if (c->some)
		as_out_char(c->out, ',');
	c->some = true;
}

static bool needs_quotes(struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] == ',' || s.p[i] == '"' || s.p[i] == '\n' || s.p[i] == '\r')
			return true;
	return false;
}

/* What does not show itself goes as a code: a cell is looked at in terminals, too. */
static void csv_quoted(struct as_csv *c, struct as_slice s)
{
	for (size_t i = 0, plain; i < s.len; i += plain ? plain : 1) {
		plain = s.p[i] == '\t' ? 1 : as_plain_len(s.p + i, s.len - i);
		if (s.p[i] == '"')
			as_out_char(c->out, '"');
		if (plain)
			as_out_bytes(c->out, s.p + i, plain);
		else
			as_out_printf(c->out, "\\x%02x", (unsigned char)s.p[i]);
	}
}

void as_csv_text(struct as_csv *c, struct as_slice s)
{
	csv_comma(c);
	if (!needs_quotes(s)) {
		csv_quoted(c, s);
		return;
	}
	as_out_char(c->out, '"');
	csv_quoted(c, s);
	as_out_char(c->out, '"');
}

void as_csv_text2(struct as_csv *c, const char *prefix, struct as_slice name)
{
	bool quotes = needs_quotes(name);

	csv_comma(c);
	as_out_text(c->out, quotes ? "\"" : "");
	as_out_text(c->out, prefix);
	as_out_char(c->out, ' ');
	csv_quoted(c, name);
	as_out_text(c->out, quotes ? "\"" : "");
}

void as_csv_val(struct as_csv *c, as_val v)
{
	csv_comma(c);
	as_out_val(c->out, v);
}

void as_csv_number(struct as_csv *c, struct as_number n)
{
	csv_comma(c);
	if (n.known && n.whole)
		as_out_val(c->out, n.n);
	else if (n.known)
		as_out_printf(c->out, "%.15g", n.x);
}

void as_csv_addr(struct as_csv *c, uint64_t addr)
{
	csv_comma(c);
	as_out_hex(c->out, addr);
}

void as_csv_empty(struct as_csv *c)
{
	csv_comma(c);
}

void as_csv_end(struct as_csv *c)
{
	as_out_char(c->out, '\n');
	c->some = false;
}
