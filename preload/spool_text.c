/* SPDX-License-Identifier: Apache-2.0 */
/* The text behind the trailer while the profile grows, and addresses that have to be moved. */
#include <string.h>

#include "preload/raw.h"
#include "preload/spool.h"

enum { STEP = AS_EMPTY };

static char *spool_text_text(const struct as_spool *s)
{
	return as_spool_bytes(s) + as_spool_text(s);
}

/* Empty lines at the end: room for more. */
static bool add_room(struct as_spool *s)
{
	memset(s->empty, '\n', STEP);
	if (s->eof + STEP > s->map_bytes || !as_spool_may_be(s->eof + STEP) || !as_spool_reach(s) ||
		as_raw(SYS_pwrite64, s->fd, (long)s->empty, STEP, (long)s->eof, 0, 0) != STEP)
		return false;
	s->eof += STEP;
	return true;
}

bool as_spool_line(struct as_spool *s, const char *line, size_t n, uint64_t *at)
{
	while (as_spool_text(s) + s->n_text + n > s->eof)
		if (!add_room(s))
			return false;
	*at = s->n_text;
	memcpy(spool_text_text(s) + s->n_text, line, n);
	s->n_text += n;
	return true;
}

/* The first byte goes first, so that no reader takes what is left for a mapping. */
void as_spool_line_free(struct as_spool *s, uint64_t at, size_t n)
{
	char *p = spool_text_text(s) + at;

	*(volatile char *)p = '#';
	memset(p + 1, '.', n - 2);
}

void as_spool_line_again(struct as_spool *s, uint64_t at, const char *line, size_t n)
{
	char *p = spool_text_text(s) + at;

	memcpy(p + 1, line + 1, n - 1);
	*(volatile char *)p = line[0];
}

/* Calls for every address of a record that is in [lo, hi); BY is added to it. */
static uint64_t each_address(const struct as_spool *s, uint64_t lo, uint64_t hi, uint64_t by)
{
	uint64_t chunks = atomic_load(&s->next), found = 0;

	for (uint64_t i = 0; i < chunks; i++) {
		uint64_t at = as_spool_chunk(i), end = at + AS_CHUNK;

		while (at + 2 < end) {
			uint64_t next = at + 2 + atomic_load(&s->map[at + 1]);

			for (at += 2; at < next && at < end; at++) {
				uint64_t pc = atomic_load(&s->map[at]);

				if (pc < lo || pc >= hi)
					continue;
				found++;
				if (by)
					atomic_store(&s->map[at], pc + by);
			}
			at = next;
		}
	}
	return found;
}

uint64_t as_spool_move(struct as_spool *s, uint64_t lo, uint64_t hi, uint64_t by)
{
	return each_address(s, lo, hi, by);
}

bool as_spool_has(const struct as_spool *s, uint64_t lo, uint64_t hi)
{
	return each_address(s, lo, hi, 0) > 0;
}
