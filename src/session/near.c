/* SPDX-License-Identifier: Apache-2.0 */
#include "session/near.h"

#include <limits.h>
#include <stdio.h>

#include "base/err.h"
#include "symbols/names/demangle.h"

enum { WORD_MAX = 64 };

static unsigned near_length(const char *s)
{
	size_t n = strlen(s);

	return (unsigned)(n < WORD_MAX ? n : WORD_MAX);
}

static unsigned near_min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

unsigned as_edit_distance(const char *a, const char *b)
{
	unsigned row[3][WORD_MAX + 1];
	unsigned *before = row[0], *last = row[1], *now = row[2], *spare;
	unsigned na = near_length(a), nb = near_length(b);

	for (unsigned j = 0; j <= nb; j++)
		last[j] = j;
	for (unsigned i = 1; i <= na; i++) {
		now[0] = i;
		for (unsigned j = 1; j <= nb; j++) {
			now[j] = near_min3(
				last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		spare = before;
		before = last;
		last = now;
		now = spare;
	}
	return last[nb];
}

const char *as_nearest(const char *word, const char *const *names, size_t n)
{
	size_t len = strlen(word);
	/* A third of the letters may be wrong; short words must be closer than that. */
	unsigned best = (unsigned)(len / 3 < 3 ? len / 3 : 3) + 1;
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		unsigned d = as_edit_distance(word, names[i]);

		/* The beginning of a name is taken for an abbreviation, however much is missing. */
		if (len >= 2 && strncmp(names[i], word, len) == 0)
			d = 1;
		if (d < best || (d == best && !found)) {
			best = d;
			found = names[i];
		}
	}
	return found;
}

void as_nearest_hint(
	char *hint, size_t size, const char *before, const char *near, const char *otherwise)
{
	if (near)
		snprintf(hint, size, "did you mean '%s%s'?", before, near);
	else
		snprintf(hint, size, "%s", otherwise);
}

static const enum as_name_level levels[] = {AS_NAMES_NOARGS, AS_NAMES_NOTEMPLATES, AS_NAMES_SHORT};

void as_near_begin(struct as_near *near, const struct as_alloc *al, struct as_slice what)
{
	*near = (struct as_near){.what = what};
	as_arena_init(&near->arena, al);
}

void as_near_end(struct as_near *near)
{
	as_arena_release(&near->arena);
}

static void near_lower(char *text)
{
	for (; *text; text++)
		if (*text >= 'A' && *text <= 'Z')
			*text += 'a' - 'A';
}

/* Letters that are other ones, but for their case; too many are not counted. */
static unsigned distance_to(const struct as_near *near, struct as_slice name)
{
	char a[AS_NEAR_NAME], b[AS_NEAR_NAME];
	size_t len = near->what.len, most = len / 3 < 3 ? len / 3 : 3;
	unsigned distance;

	if (!name.len || name.len >= sizeof(a) || len >= sizeof(b))
		return UINT_MAX;
	snprintf(a, sizeof(a), "%.*s", AS_SLICE_FMT(name));
	snprintf(b, sizeof(b), "%.*s", AS_SLICE_FMT(near->what));
	near_lower(a);
	near_lower(b);
	distance = as_edit_distance(a, b);
	return distance <= most ? distance : UINT_MAX;
}

static void near_add(struct as_near *near, struct as_slice name, unsigned distance)
{
	size_t at = near->n < AS_NEAR ? near->n++ : AS_NEAR;
	char text[AS_NEAR_NAME];

	as_escape(text, sizeof(text), name.p, name.len);
	for (size_t i = 0; i < at; i++)
		if (strcmp(near->name[i], text) == 0) {
			near->n -= at < AS_NEAR;
			return;
		}
	while (at > 0 && near->distance[at - 1] > distance) {
		if (at < AS_NEAR) {
			memcpy(near->name[at], near->name[at - 1], sizeof(near->name[at]));
			near->distance[at] = near->distance[at - 1];
		}
		at--;
	}
	if (at == AS_NEAR)
		return;
	memcpy(near->name[at], text, sizeof(text));
	near->distance[at] = distance;
}

void as_near_try(struct as_near *near, struct as_slice name)
{
	unsigned distance = distance_to(near, name);

	if (distance < UINT_MAX)
		near_add(near, name, distance);
}

void as_near_try_function(struct as_near *near, struct as_slice name)
{
	struct as_slice bare = {name.p, as_slice_find(name, '(')};
	unsigned best = distance_to(near, bare);

	for (size_t i = 0; i < AS_ARRAY_LEN(levels); i++) {
		unsigned distance =
			distance_to(near, as_name_at_level(&near->arena, name, levels[i]));

		best = distance < best ? distance : best;
	}
	name = near->whole || !bare.len ? name : bare;
	if (best < UINT_MAX && name.len < AS_NEAR_NAME)
		near_add(near, name, best);
}

void as_near_text(const struct as_near *near, const char *before, char *text, size_t size)
{
	size_t n = 0;

	text[0] = 0;
	for (size_t i = 0; i < near->n && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s'%s'%s",
			!i                ? before
			: i + 1 < near->n ? ", "
					  : " or ",
			near->name[i], i + 1 < near->n ? "" : "?");
}
