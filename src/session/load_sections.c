/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of which no more is undone than the sections that have what is asked for. */
#include "session/load.h"

#include "io/file.h"
#include "io/gzip_sections.h"

enum { TEXT_MAX = 1 << 30 };

/* What the format makes of the first section, which it keeps. WANTED has room for all. */
static bool load_sections_choose(struct as_load_some *s, struct as_gzip_sections *gs,
	const struct as_rd_choice *choice, bool *wanted)
{
	struct as_slice first = {NULL, gs->row.p[0].text};

	s->size = first.len + AS_IN_SLACK;
	first.p = s->text = s->al->resize(s->al->ctx, NULL, 0, s->size);
	if (!s->text || !as_gzip_sections_read(gs, 0, s->text))
		return false;
	for (size_t i = 0; as_formats[i] && !s->fmt; i++)
		if (as_formats[i]->sections &&
			as_formats[i]->sections(s->al, first, choice, wanted, s->n))
			s->fmt = as_formats[i];
	for (size_t i = 0; i < s->n && s->fmt; i++) {
		s->bytes[i] = wanted[i] ? gs->row.p[i].text : 0;
		if (wanted[i] && !s->bytes[i])
			return false;
	}
	return s->fmt && s->bytes[0];
}

static bool sections_choose(
	struct as_load_some *s, struct as_gzip_sections *gs, const struct as_rd_choice *choice)
{
	bool ok, *wanted;

	s->n = gs->row.n;
	if (!as_alloc_array(s->al, &s->bytes, s->n) || !as_alloc_array(s->al, &wanted, s->n))
		return false;
	ok = load_sections_choose(s, gs, choice, wanted);
	as_alloc_free(s->al, wanted, s->n * sizeof(*wanted) + 1);
	return ok;
}

/* The others that are wanted, behind it. */
static bool sections_join(struct as_load_some *s, struct as_gzip_sections *gs)
{
	size_t n = gs->row.p[0].text, size = n;
	char *p;

	for (size_t i = 1; i < s->n; i++) {
		size += s->bytes[i];
		if (size > TEXT_MAX)
			return false;
	}
	p = s->al->resize(s->al->ctx, s->text, s->size, size + AS_IN_SLACK);
	if (!p)
		return false;
	s->text = p;
	s->size = size + AS_IN_SLACK;
	for (size_t i = 1; i < s->n; n += s->bytes[i++])
		if (s->bytes[i] && !as_gzip_sections_read(gs, i, p + n))
			return false;
	memset(p + n, 0, AS_IN_SLACK);
	return true;
}

bool as_load_some_open(struct as_load_some *s, const struct as_alloc *al, const char *path,
	const struct as_rd_choice *choice)
{
	struct as_gzip_sections gs;
	struct as_err err = AS_ERR_NONE;
	struct as_src *src;
	bool ok;

	*s = (struct as_load_some){.al = al};
	if (as_file_open_raw(al, path, NULL, &src, &err) != AS_OK)
		return false;
	ok = as_gzip_sections_open(&gs, al, src) && sections_choose(s, &gs, choice) &&
	     sections_join(s, &gs);
	as_gzip_sections_release(&gs);
	if (!ok) {
		as_load_some_close(s);
		return false;
	}
	as_src_mem_init(&s->mem, (struct as_slice){s->text, s->size - AS_IN_SLACK}, path);
	s->mem.src.whole = s->mem.data;
	s->mem.src.again = true;
	return true;
}

void as_load_some_close(struct as_load_some *s)
{
	if (s->bytes)
		as_alloc_free(s->al, s->bytes, s->n * sizeof(*s->bytes) + 1);
	if (s->text)
		as_alloc_free(s->al, s->text, s->size);
	s->bytes = NULL;
	s->text = NULL;
	s->fmt = NULL;
}
