/* SPDX-License-Identifier: Apache-2.0 */
/* Source lines and instructions of chosen functions, for a page that can open no files. */
#include "page/page.h"

#include "base/sort.h"
#include "report/kit/json.h"

/* Lines around one that cost something in a function that was inlined; a whole function that is
 * longer than LONG has only those of its lines, too. */
enum { AROUND = 8, LONG = 2000 };

struct span {
	as_file file;
	uint64_t from, to; /* lines, TO among them */
};

struct coder {
	const struct as_list_print *p;
	const struct as_list_item *item;
	size_t n;
	struct as_page_code_count *count;
	struct as_json j;
	struct as_arena arena;
	AS_VEC(struct span) span;
	bool untold; /* a file that is in it could not be kept for COUNT */
};

/* ---- which lines ---- */

static bool page_code_add_span(struct coder *c, as_file file, uint64_t from, uint64_t to)
{
	struct span span = {file, from > AROUND ? from - AROUND : 1, to + AROUND};

	return as_vec_push(c->p->prof->al, &c->span, span);
}

/* The outermost rows of BLOCK: they are lines of the function, from its first to its last. */
static bool page_code_add_block(
	struct coder *c, const struct as_listing *l, const struct as_list_block *block)
{
	uint64_t from = UINT64_MAX, to = 0;
	bool ok = true;

	for (uint32_t i = block->row; i < block->row + block->n_rows; i++) {
		const struct as_list_row *row = &l->row.p[i];

		if (!row->line || row->parent)
			continue;
		from = row->line < from ? row->line : from;
		to = row->line > to ? row->line : to;
	}
	if (to && to - from < LONG)
		ok = page_code_add_span(c, block->file, from, to);
	for (uint32_t i = block->row; i < block->row + block->n_rows && ok; i++) {
		const struct as_list_row *row = &l->row.p[i];

		if (row->line && (row->parent || to - from >= LONG))
			ok = page_code_add_span(c, row->file, row->line, row->line);
	}
	return ok;
}

static int page_code_cmp_span(const void *ctx, uint32_t a, uint32_t b)
{
	const struct coder *c = ctx;
	const struct span *x = &c->span.p[a], *y = &c->span.p[b];

	if (x->file.i != y->file.i)
		return x->file.i < y->file.i ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

/* In order, and those that touch as one. */
static bool join_spans(struct coder *c)
{
	const struct as_alloc *al = c->p->prof->al;
	size_t n = c->span.n, kept = 0;
	struct span *span = c->span.p;

	if (!as_sort_array(al, span, n, page_code_cmp_span, c))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct span *last = kept ? &span[kept - 1] : NULL;

		if (!last || last->file.i != span[i].file.i || span[i].from > last->to + 1)
			span[kept++] = span[i];
		else if (span[i].to > last->to)
			last->to = span[i].to;
	}
	c->span.n = kept;
	return true;
}

static enum as_code find_spans(struct coder *c)
{
	bool ok = true;

	for (size_t i = 0; i < c->n && ok; i++) {
		const struct as_listing *l = c->item[i].lines;

		for (size_t k = 0; l && k < l->block.n && ok; k++)
			ok = page_code_add_block(c, l, &l->block.p[k]);
	}
	return ok && join_spans(c) ? AS_OK : AS_E_NOMEM;
}

/* ---- source ---- */

static bool page_code_line_of(
	const struct coder *c, as_file file, uint64_t n, struct as_slice *text)
{
	return c->p->source->line(c->p->source->ctx, file, n, text);
}

static void put_span(struct coder *c, const struct span *s)
{
	struct as_slice text;

	as_json_object(&c->j, NULL);
	as_json_val(&c->j, "from", s->from);
	as_json_array(&c->j, "lines");
	for (uint64_t n = s->from; n <= s->to && page_code_line_of(c, s->file, n, &text); n++) {
		as_json_text(&c->j, NULL, text);
		c->count->lines++;
	}
	as_json_array_end(&c->j);
	as_json_object_end(&c->j);
}

/* The spans from I on that are of one file; how many they are. */
static size_t put_file(struct coder *c, size_t i)
{
	as_file file = c->span.p[i].file;
	struct as_slice path = as_arena_dup(&c->arena, as_file_path(c->p->prof, file)), text;
	bool some = false;
	size_t n = 0;

	as_assert(i < c->span.n);
	for (; i + n < c->span.n && c->span.p[i + n].file.i == file.i; n++) {
		const struct span *s = &c->span.p[i + n];

		if (!path.len || !page_code_line_of(c, file, s->from, &text))
			continue;
		if (!some)
			as_json_array(&c->j, path.p);
		some = true;
		put_span(c, s);
	}
	if (!some)
		return n;
	as_json_array_end(&c->j);
	path = as_arena_dup(&c->count->arena, c->p->source->where(c->p->source->ctx, file, &text));
	c->untold |= !path.p || !as_vec_push(c->count->arena.al, &c->count->source, path);
	return n;
}

static void put_sources(struct coder *c)
{
	as_json_object(&c->j, "sources");
	for (size_t i = 0; i < c->span.n;)
		i += put_file(c, i);
	as_json_object_end(&c->j);
}

/* ---- instructions ---- */

struct insn {
	const struct as_code_insn *insn;
	as_func func;
	bool begins; /* a piece of FUNC */
};
struct insns {
	AS_VEC(struct insn) p;
};

static int cmp_insn(const void *ctx, uint32_t a, uint32_t b)
{
	const struct insns *in = ctx;
	uint64_t x = in->p.p[a].insn->addr, y = in->p.p[b].insn->addr;

	return x < y ? -1 : x > y;
}

/* "call 0x1234 <g>", as disassemblers write it. */
static struct as_slice insn_text(struct coder *c, const struct as_code_insn *insn)
{
	struct as_slice name = insn->target_name;

	if (!name.len || (!insn->is_call && insn->target_off))
		return insn->text;
	if (!insn->target_off)
		return as_arena_printf(
			&c->arena, "%.*s <%.*s>", AS_SLICE_FMT(insn->text), AS_SLICE_FMT(name));
	return as_arena_printf(&c->arena, "%.*s <%.*s+0x%" PRIx64 ">", AS_SLICE_FMT(insn->text),
		AS_SLICE_FMT(name), insn->target_off);
}

static void put_insn(struct coder *c, const struct insn *in)
{
	const struct as_code_insn *insn = in->insn;
	struct as_json *j = &c->j;

	as_json_object(j, NULL);
	as_json_addr(j, "address", insn->addr);
	as_json_val(j, "size", insn->size);
	as_json_text(j, "text", insn_text(c, insn));
	as_json_text_or_null(j, "file", insn->file);
	as_json_val_or_null(j, "line", insn->line != 0, (as_val)insn->line);
	if (insn->has_target)
		as_json_addr(j, "target", insn->target);
	else
		as_json_null(j, "target");
	if (in->begins)
		as_json_text(j, "begins", as_listing_func_name(c->p->listings, in->func));
	as_json_object_end(j);
	c->count->insns++;
}

static as_object page_code_object_of(const struct coder *c, size_t i)
{
	return c->p->prof->func.object.p[c->item[i].insns->func.i];
}

static bool has_code(const struct coder *c, size_t i)
{
	return c->item[i].insns && c->item[i].code && !c->item[i].other_binary &&
	       c->item[i].code->insn.n && as_object_path(c->p->prof, page_code_object_of(c, i)).len;
}

/* Another function of the object of I was here before. */
static bool is_done(const struct coder *c, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (has_code(c, k) && page_code_object_of(c, k).i == page_code_object_of(c, i).i)
			return true;
	return false;
}

/* Code may be in several pieces, with other functions between them. */
static bool page_code_begins(const struct as_code_list *code, size_t a)
{
	as_assert(a < code->insn.n);
	return !a || code->insn.p[a - 1].addr + code->insn.p[a - 1].size != code->insn.p[a].addr;
}

static bool page_code_gather(const struct coder *c, size_t i, struct insns *in)
{
	bool ok = true;

	for (size_t k = i; k < c->n; k++) {
		const struct as_code_list *code = c->item[k].code;

		if (!has_code(c, k) || page_code_object_of(c, k).i != page_code_object_of(c, i).i)
			continue;
		for (size_t a = 0; a < code->insn.n && ok; a++) {
			struct insn insn = {&code->insn.p[a], c->item[k].insns->func,
				page_code_begins(code, a)};

			ok = as_vec_push(c->p->prof->al, &in->p, insn);
		}
	}
	return ok;
}

static enum as_code page_code_put_object(struct coder *c, size_t i)
{
	const struct as_alloc *al = c->p->prof->al;
	struct as_slice path =
		as_arena_dup(&c->arena, as_object_path(c->p->prof, page_code_object_of(c, i)));
	struct as_slice binary = as_arena_dup(&c->count->arena, c->item[i].binary);
	struct insns in = {{0}};
	bool ok = page_code_gather(c, i, &in) && path.p && binary.p &&
		  as_vec_push(c->count->arena.al, &c->count->binary, binary);

	ok = ok && as_sort_array(al, in.p.p, in.p.n, cmp_insn, &in);
	if (ok)
		as_json_array(&c->j, path.p);
	for (size_t k = 0; ok && k < in.p.n; k++)
		if (!k || in.p.p[k].insn->addr != in.p.p[k - 1].insn->addr)
			put_insn(c, &in.p.p[k]);
	if (ok)
		as_json_array_end(&c->j);
	as_vec_free(al, &in.p);
	return ok ? AS_OK : AS_E_NOMEM;
}

static enum as_code put_asm(struct coder *c)
{
	enum as_code rc = AS_OK;

	as_json_object(&c->j, "asm");
	for (size_t i = 0; i < c->n && rc == AS_OK; i++)
		if (has_code(c, i) && !is_done(c, i))
			rc = page_code_put_object(c, i);
	as_json_object_end(&c->j);
	return rc;
}

enum as_code as_page_code(const struct as_list_print *p, const struct as_list_item *item, size_t n,
	const struct as_page_code_opts *opts, struct as_page_code_count *count)
{
	struct coder c = {.p = p, .item = item, .n = n, .count = count};
	enum as_code rc = AS_OK;

	as_assert(p->source && p->listings);
	*count = (struct as_page_code_count){.lines = 0};
	as_arena_init(&count->arena, p->prof->al);
	as_arena_init(&c.arena, p->prof->al);
	as_json_init(&c.j, p->out);
	as_json_object(&c.j, NULL);
	if (!opts->no_source)
		rc = find_spans(&c);
	put_sources(&c);
	if (rc == AS_OK && !opts->no_asm) {
		rc = put_asm(&c);
	} else {
		as_json_object(&c.j, "asm");
		as_json_object_end(&c.j);
	}
	as_json_object_end(&c.j);
	as_json_finish(&c.j);
	as_vec_free(p->prof->al, &c.span);
	as_arena_release(&c.arena);
	return rc == AS_OK && c.untold ? AS_E_NOMEM : rc;
}

void as_page_code_release(struct as_page_code_count *count)
{
	if (!count->arena.al)
		return;
	as_vec_free(count->arena.al, &count->source);
	as_vec_free(count->arena.al, &count->binary);
	as_arena_release(&count->arena);
}
