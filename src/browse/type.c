/* SPDX-License-Identifier: Apache-2.0 */
/* What is typed: searches, as they are typed, and filters. */
#include "browse/browse_impl.h"

#include <stdio.h>

#include "base/path.h"
#include "base/utf8_len.h"

/* ---- searching ---- */

/* The next row that matches, STEP 1 or -1, round the end; WHERE itself if STAY. */
static bool type_seek(struct as_browse *b, size_t where, int step, bool stay)
{
	size_t n = as_browse_rows(b);

	for (size_t k = stay ? 0 : 1; b->re && k <= n && n; k++) {
		size_t i = step > 0 ? (where + k) % n : (where + n - k % n) % n;

		if (as_browse_matches(b, as_browse_row_text(b, as_browse_row(b, i)))) {
			b->st.at = i;
			return true;
		}
	}
	return false;
}

bool as_browse_go_next(struct as_browse *b, int step)
{
	if (type_seek(b, b->st.at, step, false))
		return true;
	as_browse_say(b, b->st.search[0] ? "nothing else matches" : "nothing is searched: /");
	return false;
}

/* The search is what has been typed; it becomes a step when Enter comes. */
static void type_search(struct as_browse *b)
{
	struct as_slice text = as_slice_of(b->typed);
	struct as_err err = AS_ERR_NONE;
	void *re = NULL;
	size_t place = 0;
	bool small = true;

	for (size_t i = 0; i < text.len; i++)
		small &= text.p[i] < 'A' || text.p[i] > 'Z';
	if (text.len &&
		as_regexes_re2.make(as_regexes_re2.ctx, text, small, &re, &place, &err) != AS_OK) {
		as_browse_say(b, "%s", err.msg); /* it may not be whole yet */
		return;
	}
	if (b->re)
		as_regexes_re2.release(b->re);
	b->re = re;
	as_browse_find(b);
	if (b->narrowed || !text.len)
		b->st.at = b->narrowed ? 0 : b->search_at;
	else if (!type_seek(b, b->search_at, 1, true))
		as_browse_say(b, "nothing matches");
}

static void type_search_end(struct as_browse *b, bool taken)
{
	struct as_browse_state next = b->st;

	b->typing = 0;
	if (!taken) {
		next.at = b->search_at;
		b->st.at = b->search_at;
		as_browse_make(b);
		return;
	}
	next.search = as_browse_keep(b, as_slice_of(b->typed));
	if (strcmp(next.search, b->st.search) == 0)
		next.search = b->st.search;
	as_browse_step(b, &next);
}

/* ---- filters ---- */

void as_browse_add_word(struct as_browse *b, enum as_word kind, const char *text)
{
	struct as_browse_word *word = as_arena_new(&b->arena, sizeof(*word));
	struct as_browse_state next = b->st;

	if (!word) {
		as_browse_say(b, "out of memory");
		return;
	}
	*word = (struct as_browse_word){kind, as_browse_keep(b, as_slice_of(text)), b->st.words};
	next.words = word;
	next.zoom = NULL;
	as_browse_step(b, &next);
}

const char *as_browse_pattern(struct as_browse *b, const struct as_listing_id *id)
{
	struct as_slice name = id->name, object = as_base_name(id->object);
	bool small = true;
	char *p;
	size_t n;

	if (!name.len && (id->addr || object.len))
		name = id->addr ? as_arena_printf(&b->arena, "[%.*s%s0x%" PRIx64 "]",
					  AS_SLICE_FMT(object), object.len ? "+" : "", id->addr)
				: as_arena_printf(&b->arena, "[%.*s]", AS_SLICE_FMT(object));
	if (!name.len)
		return NULL;
	p = as_arena_get(&b->arena, 2 * name.len + 16);
	if (!p)
		return NULL;
	for (size_t i = 0; i < name.len; i++)
		small &= name.p[i] < 'A' || name.p[i] > 'Z';
	n = (size_t)snprintf(p, 16, "fn:%s^", small ? "(?-i)" : "");
	for (size_t i = 0; i < name.len; i++) {
		if (name.p[i] && strchr("\\()[].*+?|{}^$", name.p[i]))
			p[n++] = '\\';
		p[n++] = name.p[i];
	}
	p[n++] = '$';
	p[n] = '\0';
	return p;
}

/* "focus=RE" or "focus RE", "-f" as the options have them. */
static void type_filter_end(struct as_browse *b)
{
	size_t n = strcspn(b->typed, "= ");
	struct as_slice word = {b->typed, n};
	const char *text = b->typed[n] ? b->typed + n + 1 : "";
	enum as_word kind;

	b->typing = 0;
	if (!b->typed[0])
		return;
	while (as_slice_starts(word, "-"))
		word = as_slice_skip(word, 1);
	if (!as_word_find(word, &kind) || kind < AS_WORD_TAGFOCUS) {
		as_browse_say(b,
			"no filter is called '%.*s': focus, ignore, hide, show, show-from, "
			"prune-from, object, thread, process, label, part, unit, tagfocus, "
			"tagignore",
			AS_SLICE_FMT(word));
		return;
	}
	if (!text[0])
		as_browse_say(b, "%.*s what? as in: focus main", AS_SLICE_FMT(word));
	else
		as_browse_add_word(b, kind, text);
}

/* ---- keys ---- */

void as_browse_begin_typing(struct as_browse *b, char what)
{
	b->typing = what;
	b->typed[0] = '\0';
	b->search_at = b->st.at;
	if (what == '/')
		snprintf(b->typed, sizeof(b->typed), "%s", b->st.search);
}

static void type_erase(struct as_browse *b)
{
	size_t n = strlen(b->typed);

	while (n > 0 && ((unsigned char)b->typed[n - 1] & 0xc0) == 0x80)
		n--;
	b->typed[n > 0 ? n - 1 : 0] = '\0';
}

static bool type_insert(struct as_browse *b, int key)
{
	size_t n = strlen(b->typed);

	if (key < ' ' || key >= AS_KEY_BEYOND || n + 5 > sizeof(b->typed))
		return false;
	n += as_utf8_put(b->typed + n, (uint32_t)key);
	b->typed[n] = '\0';
	return true;
}

void as_browse_type(struct as_browse *b, int key)
{
	bool ends = key == AS_KEY_RETURN || key == '\n';
	bool search = b->typing == '/';

	if (ends && search)
		type_search_end(b, true);
	else if (ends)
		type_filter_end(b);
	else if (key == AS_KEY_ESC && search)
		type_search_end(b, false);
	else if (key == AS_KEY_ESC)
		b->typing = 0;
	if (!b->typing)
		return;
	if (key == AS_KEY_ERASE || key == '\b')
		type_erase(b);
	else if (key == AS_KEY_CTRL_U)
		b->typed[0] = '\0';
	else if (!type_insert(b, key))
		return;
	if (search)
		type_search(b);
}
