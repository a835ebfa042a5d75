/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/lines.h"

#include "preload/unwind.h"

static uint64_t hash_path(const char *p, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* The line for MAP, as if it began at START, and what is known of its file. */
static struct as_words lines_compose(
	struct as_lines *ls, uint64_t start, const struct as_map *map, const struct as_build_id *id)
{
	struct as_words w = {ls->room, 0, sizeof(ls->room) - 1};

	as_put_number(&w, start, 16, 12);
	as_puts(&w, "-");
	as_put_number(&w, start + (map->end - map->start), 16, 12);
	as_puts(&w, " r-xp ");
	as_put_number(&w, map->offset, 16, 8);
	as_puts(&w, " ");
	as_put_number(&w, map->dev >> 16, 16, 2);
	as_puts(&w, ":");
	as_put_number(&w, map->dev & 0xffff, 16, 2);
	as_puts(&w, " ");
	as_put_dec(&w, map->inode);
	as_puts(&w, " ");
	as_put(&w, map->path, map->n_path);
	if (id->n) {
		as_puts(&w, "\nassay: build id: ");
		as_put_number(&w, start, 16, 12);
		as_puts(&w, " ");
		for (unsigned i = 0; i < id->n; i++)
			as_put_number(&w, id->bytes[i], 16, 2);
	}
	w.p[w.n++] = '\n';
	return w;
}

/* Puts the composed line into the text, at the place of one that has gone if there is one. */
static bool lines_place(struct as_lines *ls, struct as_line *line, const struct as_words *w)
{
	line->n = w->n;
	for (uint32_t i = 0; i < ls->n; i++) {
		struct as_line *old = &ls->line[i];

		if (old->state != AS_LINE_FREE || old->n != w->n || old == line)
			continue;
		line->at = old->at;
		as_spool_line_again(ls->spool, line->at, w->p, w->n);
		old->n = 0;
		return true;
	}
	return as_spool_line(ls->spool, w->p, w->n, &line->at);
}

static struct as_line *new_line(struct as_lines *ls)
{
	for (uint32_t i = 0; i < ls->n; i++)
		if (ls->line[i].state == AS_LINE_FREE && ls->line[i].n == 0)
			return &ls->line[i];
	return ls->n < AS_LINES_MAX ? &ls->line[ls->n++] : NULL;
}

static bool same_code(const struct as_line *a, const struct as_line *b)
{
	return a->size == b->size && a->offset == b->offset && a->inode == b->inode &&
	       a->dev == b->dev && a->path == b->path;
}

static bool find_live(struct as_lines *ls, const struct as_line *want)
{
	for (uint32_t k = 0; k < ls->n; k++) {
		uint32_t i = ls->hint + k < ls->n ? ls->hint + k : ls->hint + k - ls->n;
		struct as_line *line = &ls->line[i];

		if (line->state == AS_LINE_LIVE && line->start == want->start &&
			same_code(line, want)) {
			line->seen = true;
			ls->hint = i + 1 < ls->n ? i + 1 : 0;
			return true;
		}
	}
	return false;
}

static void lines_take_map(void *ctx, const struct as_map *map, const struct as_build_id *id)
{
	struct as_lines *ls = ctx;
	struct as_line want = {.start = map->start,
		.size = map->end - map->start,
		.offset = map->offset,
		.inode = map->inode,
		.dev = map->dev,
		.path = hash_path(map->path, map->n_path),
		.state = AS_LINE_LIVE,
		.seen = true,
		.file = map->inode != 0};
	struct as_words w;
	struct as_line *line;

	if (find_live(ls, &want))
		return;
	w = lines_compose(ls, map->start, map, id);
	line = new_line(ls);
	if (!line || !lines_place(ls, &want, &w)) {
		if (line)
			line->n = 0;
		return;
	}
	*line = want;
}

/* The text of LINE as if it began at START, in place of its two addresses. */
static struct as_words lines_readdressed(
	struct as_lines *ls, const struct as_line *line, uint64_t start)
{
	static const char mark[] = "\nassay: build id: ";
	const char *text = as_spool_bytes(ls->spool) + as_spool_text(ls->spool) + line->at;
	struct as_words w = {ls->room, 0, sizeof(ls->room)}, at;
	char *id;

	as_put(&w, text, line->n);
	at = (struct as_words){w.p, 0, 12};
	as_put_number(&at, start, 16, 12);
	at = (struct as_words){w.p + 13, 0, 12};
	as_put_number(&at, start + line->size, 16, 12);
	id = memmem(w.p, w.n, mark, sizeof(mark) - 1);
	if (id) {
		at = (struct as_words){id + sizeof(mark) - 1, 0, 12};
		as_put_number(&at, start, 16, 12);
	}
	return w;
}

/* Where code like LINE's went before, or a new place; 0: there is no room for the line. */
static uint64_t place_when_gone(struct as_lines *ls, const struct as_line *line)
{
	struct as_line gone = *line;
	struct as_line *to;
	struct as_words w;

	for (uint32_t i = 0; i < ls->n; i++)
		if (ls->line[i].state == AS_LINE_GONE && same_code(&ls->line[i], line))
			return ls->line[i].start;
	gone.start = ls->next_gone;
	gone.state = AS_LINE_GONE;
	w = lines_readdressed(ls, line, gone.start);
	to = new_line(ls);
	if (!to || !lines_place(ls, &gone, &w))
		return 0;
	*to = gone;
	ls->next_gone += (line->size + 0xffff) & ~UINT64_C(0xffff);
	return gone.start;
}

/* Whether a file is mapped now where LINE's code was. */
static bool is_taken(const struct as_lines *ls, const struct as_line *line)
{
	for (uint32_t i = 0; i < ls->n; i++) {
		const struct as_line *l = &ls->line[i];

		if (l->state == AS_LINE_LIVE && l->seen && l->file &&
			l->start < line->start + line->size && line->start < l->start + l->size)
			return true;
	}
	return false;
}

/*
 * LINE's code is gone. That of a JIT compiler comes and goes, also while it is used: such memory
 * keeps its addresses until they are a file's.
 */
static void lines_leave(struct as_lines *ls, struct as_line *line)
{
	uint64_t end = line->start + line->size, to;
	bool needed = as_spool_has(ls->spool, line->start, end);

	if (needed && !line->file && !is_taken(ls, line))
		return;
	if (needed) {
		to = place_when_gone(ls, line);
		if (!to)
			return;
		as_spool_move(ls->spool, line->start, end, to - line->start);
	}
	as_spool_line_free(ls->spool, line->at, line->n);
	line->state = AS_LINE_FREE;
	ls->moved = true;
}

void as_lines_begin(struct as_lines *ls, struct as_spool *spool)
{
	ls->spool = spool;
	ls->n = ls->hint = 0;
	ls->next_gone = AS_PC_GONE;
}

bool as_lines_refresh(struct as_lines *ls, struct as_objects *os, bool *moved)
{
	ls->moved = false;
	ls->hint = 0;
	for (uint32_t i = 0; i < ls->n; i++)
		ls->line[i].seen = false;
	if (!as_objects_refresh(os, lines_take_map, ls))
		return false;
	for (uint32_t i = 0; i < ls->n; i++)
		if (ls->line[i].state == AS_LINE_LIVE && !ls->line[i].seen)
			lines_leave(ls, &ls->line[i]);
	*moved = ls->moved;
	return true;
}
