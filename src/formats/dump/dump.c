/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dump: the canonical text of a profile, docs/formats/dump.md. Write-only: it is what tests
 * compare and what `assay dump` prints. Here are the tables; the facts are in dump_rows.c and
 * dump_samples.c.
 */
#include "formats/dump/dump.h"

static void dump_put_word(struct dump *d, const char *word, uint64_t v)
{
	as_out_text(d->out, word);
	as_out_u64(d->out, v);
}

static void dump_put_line(struct dump *d, const char *word, as_str text)
{
	if (!text.i)
		return;
	as_out_text(d->out, word);
	as_out_char(d->out, ' ');
	as_dump_quote(d, as_str_get(d->prof, text));
	as_out_char(d->out, '\n');
}

static void put_field(struct dump *d, const char *word, as_str text)
{
	as_dump_field(d, word, as_str_get(d->prof, text));
}

static void dump_put_head(struct dump *d)
{
	const struct as_profile *prof = d->prof;

	as_out_text(d->out, "assay-dump 1\n");
	if (d->origin) {
		dump_put_line(d, "format", prof->format);
		dump_put_line(d, "version", prof->version);
	}
	dump_put_line(d, "epoch", prof->epoch);
	if (prof->duration)
		as_out_printf(d->out, "duration %" PRId64 "\n", prof->duration);
	as_out_printf(d->out, "shape%s%s%s\n", prof->shape & AS_SHAPE_PLACES ? " places" : "",
		prof->shape & AS_SHAPE_CALLS ? " calls" : "",
		prof->shape & AS_SHAPE_PATHS ? " paths" : "");
	as_out_text(d->out, prof->estimated ? "estimated\n" : "");
	if (prof->path_depth)
		as_out_printf(d->out, "path-depth %" PRIu32 "\n", prof->path_depth);
	as_out_text(d->out, prof->partial ? "partial\n" : "");
}

static void dump_put_events(struct dump *d)
{
	const struct as_profile *prof = d->prof;

	for (size_t i = 0; i < prof->event.n; i++) {
		const struct as_event *ev = &prof->event.p[i];

		as_out_text(d->out, "event ");
		as_dump_quote(d, as_str_get(prof, ev->name));
		put_field(d, "unit", ev->unit);
		if (ev->period)
			dump_put_word(d, " period=", ev->period);
		put_field(d, "period-unit", ev->period_unit);
		if (ev->active)
			dump_put_word(d, " active=", ev->active);
		as_out_text(d->out, ev->estimated ? " estimated" : "");
		put_field(d, "title", ev->title);
		as_out_char(d->out, '\n');
	}
	for (size_t i = 0; i < prof->derived.n; i++) {
		const struct as_derived *de = &prof->derived.p[i];

		as_out_text(d->out, de->bare ? "bare " : "derived ");
		as_dump_quote(d, as_str_get(prof, de->name));
		put_field(d, "formula", de->formula);
		put_field(d, "title", de->title);
		as_out_char(d->out, '\n');
	}
}

static const char *addr_kind_text(enum as_addr_kind kind)
{
	switch (kind) {
	case AS_ADDR_FILE_OFFSET:
		return " addresses=file-offset";
	case AS_ADDR_VIRTUAL:
		return " addresses=virtual";
	case AS_ADDR_ABSOLUTE:
		return " addresses=absolute";
	case AS_ADDR_IMAGE:
		return " addresses=image";
	case AS_ADDR_UNKNOWN:
		break;
	}
	return "";
}

static void put_object(struct dump *d, const struct as_object_row *o)
{
	as_out_text(d->out, "object ");
	as_dump_quote(d, as_str_get(d->prof, o->path));
	put_field(d, "id", o->id);
	if (o->text_start)
		as_out_printf(d->out, " text=0x%" PRIx64, o->text_start);
	if (o->text_size)
		dump_put_word(d, " size=", o->text_size);
	as_out_text(d->out, addr_kind_text(o->addr_kind));
	as_out_char(d->out, '\n');
}

/* An object that nothing refers to and that has nothing to say of itself is a name that a
 * rewritten profile does not have: it is left out. */
static bool put_objects(struct dump *d)
{
	const struct as_profile *prof = d->prof;
	bool *used = as_alloc_new(d->al, prof->object.n);

	if (!used)
		return false;
	for (size_t i = 0; i < prof->func.object.n; i++)
		used[prof->func.object.p[i].i] = true;
	for (size_t i = 0; i < prof->map.n; i++)
		used[prof->map.p[i].object.i] = true;
	for (uint32_t i = 0; i < d->object.n; i++) {
		uint32_t row = d->object.at[i];
		const struct as_object_row *o = &prof->object.p[row];

		if (row && (used[row] || o->id.i || o->text_start || o->text_size))
			put_object(d, o);
	}
	return true;
}

static int dump_cmp_map(const void *ctx, uint32_t a, uint32_t b)
{
	const struct dump *d = ctx;
	const struct as_map *x = &d->prof->map.p[a], *y = &d->prof->map.p[b];

	int c = as_cmp_u64(d->labels.rank[x->part], d->labels.rank[y->part]);

	c = c ? c : as_cmp_u64(x->start, y->start);
	c = c ? c : as_cmp_u64(x->limit, y->limit);
	return c ? c : as_cmp_u64(x->offset, y->offset);
}

static void put_map_has(struct dump *d, uint32_t has)
{
	static const char *const word[] = {" functions", " files", " lines", " inlined"};

	for (size_t i = 0; i < AS_ARRAY_LEN(word); i++)
		if (has >> i & 1)
			as_out_text(d->out, word[i]);
}

static bool dump_put_maps(struct dump *d)
{
	const struct as_profile *prof = d->prof;
	struct as_order maps;

	if (!as_order_init(&maps, d->al, prof->map.n, dump_cmp_map, d))
		return false;
	for (uint32_t i = 0; i < maps.n; i++) {
		const struct as_map *map = &prof->map.p[maps.at[i]];
		const struct as_object_row *o = &prof->object.p[map->object.i];

		as_out_printf(d->out,
			"map %" PRIu32 " 0x%" PRIx64 "-0x%" PRIx64 " offset=0x%" PRIx64 "%s",
			d->labels.rank[map->part], map->start, map->limit, map->offset,
			map->exec ? " exec" : "");
		put_field(d, "ob", o->path);
		put_field(d, "id", o->id);
		put_field(d, "text", map->text);
		put_map_has(d, map->has);
		put_field(d, "extra", map->extra);
		as_out_char(d->out, '\n');
	}
	return true;
}

static void put_declared(struct dump *d, size_t part, const char *word, const as_val *v, size_t n)
{
	dump_put_word(d, "part ", part);
	as_out_char(d->out, ' ');
	as_out_text(d->out, word);
	as_dump_values(d, v, n);
}

static void dump_put_labels(struct dump *d, size_t i, const struct as_part *p)
{
	for (uint32_t k = 0; k < p->n_labels; k++) {
		const struct as_label *l = &d->prof->label.p[d->labels.label[p->first_label + k]];

		dump_put_word(d, "part ", i);
		as_out_text(d->out, l->opaque ? " opaque" : " label ");
		if (!l->opaque)
			as_dump_quote(d, as_str_get(d->prof, l->key));
		put_field(d, "text", l->text);
		if (!l->opaque && (!l->text.i || l->number))
			as_out_printf(d->out, " number=%" PRId64, l->number);
		put_field(d, "unit", l->unit);
		put_field(d, "extra", l->extra);
		as_out_char(d->out, '\n');
	}
}

static void dump_put_part(struct dump *d, size_t i)
{
	static const char *const positions[] = {
		"", " positions=instr", " positions=line", " positions=instr,line"};
	const struct as_part *p = &d->prof->part.p[d->labels.part[i]];

	dump_put_word(d, "part ", i);
	if (d->origin)
		put_field(d, "name", p->name);
	put_field(d, "command", p->command);
	put_field(d, "creator", p->creator);
	if (p->has_pid)
		dump_put_word(d, " pid=", p->pid);
	if (p->has_tid)
		dump_put_word(d, " tid=", p->tid);
	if (p->has_number)
		dump_put_word(d, " number=", p->number);
	put_field(d, "thread", p->thread);
	as_out_text(d->out, positions[p->positions & (AS_POS_INSTR | AS_POS_LINE)]);
	as_out_char(d->out, '\n');
	if (p->event) {
		dump_put_word(d, "part ", i);
		as_out_text(d->out, " events");
		for (uint32_t k = 0; k < p->n_events; k++) {
			as_out_char(d->out, ' ');
			as_dump_quote(d, as_str_get(d->prof, d->prof->event.p[p->event[k]].name));
		}
		as_out_char(d->out, '\n');
	}
	if (p->summary)
		put_declared(d, i, "summary", p->summary, p->n_summary);
	if (p->totals)
		put_declared(d, i, "totals", p->totals, p->n_totals);
	dump_put_labels(d, i, p);
}

static void put_metas(struct dump *d)
{
	for (size_t i = 0; i < d->prof->meta.n; i++) {
		const struct as_meta *m = &d->prof->meta.p[i];

		dump_put_word(d, "meta ", d->labels.rank[m->part]);
		as_out_char(d->out, ' ');
		as_dump_quote(d, as_str_get(d->prof, m->key));
		as_out_char(d->out, ' ');
		as_dump_quote(d, as_str_get(d->prof, m->text));
		as_out_char(d->out, '\n');
	}
}

static enum as_code dump_put_all(struct dump *d)
{
	dump_put_head(d);
	dump_put_events(d);
	AS_TRY(as_err_memory(d->err, as_dump_rank(d) && put_objects(d)));
	for (size_t i = 0; i < d->prof->part.n; i++)
		dump_put_part(d, i);
	put_metas(d);
	AS_TRY(as_err_memory(d->err, dump_put_maps(d)));
	AS_TRY(as_dump_rows(d));
	AS_TRY(as_dump_samples(d));
	as_out_text(d->out, "total");
	as_dump_values(d, d->prof->total, d->prof->event.n);
	return d->out->rc;
}

static enum as_code dump_write(struct as_wr *wr, const struct as_profile *prof)
{
	struct dump d = {
		.out = wr->out,
		.err = wr->err,
		.al = wr->al,
		.prof = prof,
		.origin = as_opts_flag(&wr->opts, "origin", false),
	};
	enum as_code rc = dump_put_all(&d);

	as_label_order_release(&d.labels, prof);
	return rc;
}

static const struct as_opt dump_write_opts[] = {
	{"origin", "yes|no", "also tell format, version and the names of the inputs"},
	{NULL, NULL, NULL},
};

const struct as_format as_format_dump = {
	.name = "dump",
	.title = "assay's own canonical text: every fact in a fixed order",
	.exts = "dump",
	.spec = "docs/formats/dump.md",
	.caps = (UINT64_C(1) << AS_CAP_COUNT) - 1, /* all there are */
	.write = AS_WRITER(dump_write),
	.write_opts = dump_write_opts,
};
