/* SPDX-License-Identifier: Apache-2.0 */
/* Files that gcov writes, NAME.gcov. docs/formats/gcov.md §2. */
#include "formats/gcov/gcov.h"

/* "   COUNT:   LINE:TEXT"; false: another line. */
static bool gcov_text_cut(
	struct as_slice line, struct as_slice *count, uint64_t *number, struct as_slice *text)
{
	struct as_slice word;

	*text = line;
	if (!as_slice_cut(text, ':', count) || !as_slice_cut(text, ':', &word))
		return false;
	*count = as_slice_trim(*count);
	return as_slice_dec(as_slice_trim(word), number) && count->len;
}

bool as_gc_source(struct as_slice line, struct as_slice *file)
{
	static const char key[] = "Source:";
	struct as_slice count;
	uint64_t number;

	if (!gcov_text_cut(as_slice_chop(line), &count, &number, file) || number ||
		!as_slice_is(count, "-") || !as_slice_starts(*file, key))
		return false;
	*file = as_slice_skip(*file, sizeof(key) - 1);
	return file->len;
}

/* "12", "12*" (some of it never was), "#####" and "=====" (none of it was). */
static bool gcov_text_count(struct as_slice word, uint64_t *count)
{
	*count = 0;
	if (as_slice_ends(word, "*"))
		word.len--;
	return as_slice_is(word, "#####") || as_slice_is(word, "=====") ||
	       as_slice_dec(word, count);
}

/* "function NAME called 10 returned 100% blocks executed 100%", before the line where it begins. */
static bool gcov_text_function(struct as_gc *gc, struct as_slice line, uint32_t *func)
{
	struct as_slice name, word;
	uint64_t calls;

	line = as_slice_skip(line, sizeof("function ") - 1);
	name = (struct as_slice){line.p, as_slice_find_text(line, " called ")};
	if (name.len == line.len)
		return true;
	line = as_slice_skip(line, name.len + sizeof(" called ") - 1);
	if (!as_slice_word(&line, &word) || !as_slice_dec(word, &calls))
		return true;
	if (!as_gc_func(gc, name, func))
		return false;
	gc->func.p[*func - 1].calls = calls;
	gc->func.p[*func - 1].has_calls = true;
	return true;
}

struct gcov_text {
	uint32_t func;
	bool rule, apart;
	struct as_index numbers; /* of lines in what stands apart */
};

static bool gcov_text_is_apart(const struct gcov_text *t, uint64_t number)
{
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	return as_index_find(&t->numbers, as_hash_mix(number, 0), &at, &row);
}

/* Behind a rule stands "NAME:" and what is NAME's, or what is nobody's in particular. */
static enum as_code gcov_text_apart(struct as_gc *gc, struct gcov_text *t, struct as_slice line)
{
	struct as_slice count, text;
	uint64_t number;

	t->rule = false;
	t->apart = as_slice_ends(line, ":") && !gcov_text_cut(line, &count, &number, &text);
	t->func = 0;
	if (!t->apart)
		return AS_OK;
	line.len--;
	return as_err_memory(gc->rd->err, as_gc_func(gc, line, &t->func));
}

static enum as_code gcov_text_add(struct as_gc *gc, struct gcov_text *t, const struct gc_line *l)
{
	struct gc_func *f = l->func ? &gc->func.p[l->func - 1] : NULL;
	bool ok = true;

	if (f && (!f->line || l->number < f->line))
		f->line = l->number;
	if (t->apart && !gcov_text_is_apart(t, l->number))
		ok = as_index_add(&t->numbers, as_hash_mix(l->number, 0), 1);
	return as_err_memory(gc->rd->err, ok && as_gc_line(gc, *l));
}

static enum as_code gcov_text_line(struct as_gc *gc, struct gcov_text *t, struct as_slice line)
{
	struct gc_line l = {.func = t->func};
	struct as_slice count, text;

	if (as_slice_starts(line, "------")) {
		t->rule = true;
		return AS_OK;
	}
	if (t->rule)
		AS_TRY(gcov_text_apart(gc, t, line));
	l.func = t->func;
	gc->branches += as_slice_starts(line, "branch ");
	if (as_slice_starts(line, "function "))
		return as_err_memory(gc->rd->err, gcov_text_function(gc, line, &t->func));
	if (!gcov_text_cut(line, &count, &l.number, &text) || as_slice_is(count, "-") || !l.number)
		return AS_OK;
	if (gcov_text_count(count, &l.count))
		return gcov_text_add(gc, t, &l);
	as_rd_partial(gc->rd);
	return as_rd_find(gc->rd, AS_F_GC_COUNT, gc->rd->in->off, gc->rd->in->line - 1,
		"'%.*s' is no number", AS_SLICE_FMT(count));
}

/* Of functions that were made of the same lines, a template's, the sum comes first: each of them
 * comes again by itself. */
static void gcov_text_without_sums(struct as_gc *gc, const struct gcov_text *t)
{
	size_t n = 0;

	for (size_t i = 0; i < gc->line.n; i++)
		if (gc->line.p[i].func || !gcov_text_is_apart(t, gc->line.p[i].number))
			gc->line.p[n++] = gc->line.p[i];
	gc->line.n = n;
}

enum as_code as_gc_read_text(struct as_gc *gc)
{
	struct gcov_text t = {0};
	struct as_slice line, file;
	enum as_code rc;

	as_index_init(&t.numbers, gc->al);
	rc = as_in_line(gc->rd->in, &line);
	if (rc != AS_OK && rc != AS_END)
		return rc;
	if (rc == AS_END || !as_gc_source(line, &file))
		return as_rd_fail(gc->rd, AS_E_FORMAT, 0, 1, "it does not begin as gcov's text");
	gc->file = as_arena_dup(&gc->arena, file);
	AS_TRY(as_err_memory(gc->rd->err, gc->file.p));
	while ((rc = as_in_line(gc->rd->in, &line)) == AS_OK)
		AS_TRY(gcov_text_line(gc, &t, as_slice_chop(line)));
	if (rc != AS_END)
		return rc;
	gcov_text_without_sums(gc, &t);
	AS_TRY(as_rd_find_if(gc->rd, !gc->line.n, AS_F_NO_SAMPLES,
		"no line of the file has code that was built so"));
	AS_TRY(as_gc_tell_branches(gc));
	return as_gc_put(gc);
}
