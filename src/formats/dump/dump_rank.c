/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in the order of their content, and the words that lines are made of. */
#include "base/utf8_len.h"
#include "formats/dump/dump.h"

static int cmp_func_rare(const struct as_profile *prof, as_func a, as_func b)
{
	struct as_func_row x = as_func_get(prof, a), y = as_func_get(prof, b);
	int c = as_str_cmp(prof, x.system, y.system);

	c = c ? c : as_cmp_u64(x.line, y.line);
	return c ? c : as_str_cmp(prof, x.extra, y.extra);
}

static int dump_rank_cmp_func(const void *ctx, uint32_t a, uint32_t b)
{
	const struct dump *d = ctx;
	const struct as_profile *prof = d->prof;
	uint64_t x = prof->func.addr.p[a], y = prof->func.addr.p[b];
	int c = as_str_cmp(prof, prof->func.name.p[a], prof->func.name.p[b]);

	if (!c)
		c = as_cmp_u64(d->object.rank[prof->func.object.p[a].i],
			d->object.rank[prof->func.object.p[b].i]);
	if (!c)
		c = as_cmp_u64(
			d->file.rank[prof->func.file.p[a].i], d->file.rank[prof->func.file.p[b].i]);
	c = c ? c : as_cmp_u64(x, y);
	return c ? c : cmp_func_rare(prof, (as_func){a}, (as_func){b});
}

bool as_dump_rank(struct dump *d)
{
	const struct as_profile *prof = d->prof;

	return as_order_init(&d->object, d->al, prof->object.n, as_object_cmp, prof) &&
	       as_order_init(&d->file, d->al, prof->file.n, as_file_cmp, prof) &&
	       as_order_init(&d->func, d->al, prof->func.name.n, dump_rank_cmp_func, d) &&
	       as_label_order_init(&d->labels, prof);
}

static void put_escaped(struct as_out *out, unsigned char c)
{
	static const char digit[] = "0123456789abcdef";
	char *p = as_out_room(out, 4);

	p[0] = '\\';
	if (c == '"' || c == '\\') {
		p[1] = (char)c;
		out->n += 2;
		return;
	}
	p[1] = 'x';
	p[2] = digit[c >> 4];
	p[3] = digit[c & 15];
	out->n += 4;
}

static bool dump_rank_is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void as_dump_quote(struct dump *d, struct as_slice text)
{
	as_out_char(d->out, '"');
	while (text.len) {
		unsigned char c;
		size_t n = 0;

		while (n < text.len && dump_rank_is_plain((unsigned char)text.p[n]))
			n++;
		as_out_bytes(d->out, text.p, n);
		text = as_slice_skip(text, n);
		if (!text.len)
			break;
		c = (unsigned char)text.p[0];
		n = c >= 0x80 ? as_plain_len(text.p, text.len) : 0;
		if (n)
			as_out_bytes(d->out, text.p, n);
		else
			put_escaped(d->out, c);
		text = as_slice_skip(text, n ? n : 1);
	}
	as_out_char(d->out, '"');
}

void as_dump_field(struct dump *d, const char *word, struct as_slice text)
{
	if (!text.len)
		return;
	as_out_char(d->out, ' ');
	as_out_text(d->out, word);
	as_out_char(d->out, '=');
	as_dump_quote(d, text);
}

/* Whether the path of O is not enough to tell it from its neighbours in the sorted table. */
static bool object_needs_id(const struct dump *d, as_object o)
{
	const struct as_object_row *row = d->prof->object.p;
	uint32_t rank = d->object.rank[o.i];

	if (!row[o.i].path.i)
		return true;
	return (rank > 0 && row[d->object.at[rank - 1]].path.i == row[o.i].path.i) ||
	       (rank + 1 < d->object.n && row[d->object.at[rank + 1]].path.i == row[o.i].path.i);
}

static void put_num(struct dump *d, const char *word, uint64_t v)
{
	if (!v)
		return;
	as_out_text(d->out, word);
	as_out_u64(d->out, v);
}

static void dump_rank_put_addr(struct dump *d, const char *word, uint64_t v)
{
	if (!v)
		return;
	as_out_text(d->out, word);
	as_out_hex(d->out, v);
}

void as_dump_pos(struct dump *d, const struct as_pos *pos)
{
	const struct as_profile *prof = d->prof;
	as_object object = prof->func.object.p[pos->func.i];
	as_file file = prof->func.file.p[pos->func.i];
	uint64_t addr = prof->func.addr.p[pos->func.i];
	struct as_func_row row = as_func_get(prof, pos->func);

	as_dump_field(d, "fn", as_func_name(prof, pos->func));
	/* Code without a name is known by its address, which a row need not say twice. */
	if (addr != pos->addr)
		dump_rank_put_addr(d, " fn=", addr);
	as_dump_field(d, "sys", as_str_get(prof, row.system));
	put_num(d, " start=", row.line);
	as_dump_field(d, "fn-extra", as_str_get(prof, row.extra));
	as_dump_field(d, "ob", as_object_path(prof, object));
	if (object_needs_id(d, object))
		as_dump_field(d, "id", as_str_get(prof, prof->object.p[object.i].id));
	as_dump_field(d, "fl", as_file_path(prof, file));
	if (pos->file.i != file.i) {
		as_out_text(d->out, " at=");
		as_dump_quote(d, as_file_path(prof, pos->file));
	}
	put_num(d, " line=", pos->line);
	dump_rank_put_addr(d, " addr=", pos->addr);
	if (pos->inlined)
		as_out_text(d->out, " inlined");
}

void as_dump_more(struct dump *d, const struct as_place_more *more)
{
	put_num(d, " column=", more->column);
	if (more->folded)
		as_out_text(d->out, " folded");
	as_dump_field(d, "extra", as_str_get(d->prof, more->extra));
}

void as_dump_values(struct dump *d, const as_val *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		as_out_char(d->out, ' ');
		as_out_val(d->out, v[i]);
	}
	as_out_char(d->out, '\n');
}
