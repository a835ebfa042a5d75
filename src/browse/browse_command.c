/* SPDX-License-Identifier: Apache-2.0 */
/* The command that gives the answer that is shown. */
#include "browse/browse_impl.h"

#include "base/path.h"

/* A word as a shell has to have it: in quotes, if it must. */
static struct as_slice browse_command_quote(struct as_browse *b, struct as_slice word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./:=,+@%";
	char *p = as_arena_get(&b->arena, 4 * word.len + 3);
	bool quoted = word.len == 0;
	size_t n = 0;

	if (!p)
		return (struct as_slice){0};
	for (size_t i = 0; i < word.len; i++)
		quoted |= !word.p[i] || !strchr(plain, word.p[i]);
	if (quoted)
		p[n++] = '\'';
	for (size_t i = 0; i < word.len; i++) {
		if (word.p[i] == '\'') {
			memcpy(p + n, "'\\''", 4);
			n += 4;
		} else {
			p[n++] = word.p[i];
		}
	}
	if (quoted)
		p[n++] = '\'';
	return (struct as_slice){p, n};
}

static struct as_slice browse_command_files(struct as_browse *b)
{
	struct as_slice text = as_slice_of("");

	if (b->ask.base && b->st.view == AS_BROWSE_TABLE)
		text = as_arena_printf(&b->arena, " %.*s",
			AS_SLICE_FMT(browse_command_quote(b, as_slice_of(b->ask.base))));
	for (size_t i = 0; i < b->ask.n_files; i++) {
		struct as_slice file = browse_command_quote(b, as_slice_of(b->ask.file[i]));

		text = as_arena_printf(
			&b->arena, "%.*s %.*s", AS_SLICE_FMT(text), AS_SLICE_FMT(file));
	}
	return text;
}

static struct as_slice browse_command_words(struct as_browse *b)
{
	struct as_slice text = as_slice_of("");

	for (const struct as_browse_word *w = b->st.words; w; w = w->next)
		text = as_arena_printf(&b->arena, " --%s %.*s%.*s", as_word_text(w->kind),
			AS_SLICE_FMT(browse_command_quote(b, as_slice_of(w->text))),
			AS_SLICE_FMT(text));
	return text;
}

static const char *browse_command_by(enum as_by by)
{
	return by == AS_BY_FILE     ? " --by file"
	       : by == AS_BY_OBJECT ? " --by object"
	       : by == AS_BY_LINE   ? " --by line"
				    : "";
}

/* The function as `assay list` takes it. */
static struct as_slice browse_command_func(struct as_browse *b)
{
	const struct as_listing_id *id = &b->st.func;
	struct as_slice object = as_base_name(id->object), name = id->name;

	if (!name.len)
		name = as_arena_printf(&b->arena, "[%.*s%s0x%" PRIx64 "]", AS_SLICE_FMT(object),
			object.len ? "+" : "", id->addr);
	return browse_command_quote(b, name);
}

/* The event behind WORDS, " -s " for instance; nothing where there is no other. */
static struct as_slice browse_command_event(struct as_browse *b, const char *words)
{
	if (as_n_events(b->prof) <= 1)
		return as_slice_of("");
	return as_arena_printf(&b->arena, "%s%.*s", words,
		AS_SLICE_FMT(browse_command_quote(b, as_event_name(b->prof, b->st.event))));
}

static struct as_slice browse_command_table(struct as_browse *b, struct as_slice files)
{
	bool incl = b->st.inclusive;

	return as_arena_printf(&b->arena, "%s%.*s%s -n 0%s%.*s", b->ask.base ? "diff" : "top",
		AS_SLICE_FMT(files), browse_command_by(b->st.by), incl ? " -s inclusive" : "",
		AS_SLICE_FMT(browse_command_event(b, incl ? ":" : " -s ")));
}

/* The words of the view before the files, and behind them. */
static struct as_slice browse_command_view(struct as_browse *b, struct as_slice files)
{
	switch (b->st.view) {
	case AS_BROWSE_TABLE:
		return browse_command_table(b, files);
	case AS_BROWSE_PEEK:
		return as_arena_printf(&b->arena, "peek %.*s%.*s --rows 0%.*s",
			AS_SLICE_FMT(browse_command_func(b)), AS_SLICE_FMT(files),
			AS_SLICE_FMT(browse_command_event(b, " -s ")));
	case AS_BROWSE_TREE:
	case AS_BROWSE_FLAME:
		return as_arena_printf(&b->arena, "%s%.*s%s%.*s",
			b->st.view == AS_BROWSE_TREE ? "tree" : "flame -f text --icicle",
			AS_SLICE_FMT(files), b->st.bottom_up ? " --bottom-up" : "",
			AS_SLICE_FMT(browse_command_event(b, " -s ")));
	case AS_BROWSE_SOURCE:
	case AS_BROWSE_ASM:
		return as_arena_printf(&b->arena, "%s %.*s%.*s%.*s",
			b->st.view == AS_BROWSE_ASM ? "asm" : "list",
			AS_SLICE_FMT(browse_command_func(b)), AS_SLICE_FMT(files),
			AS_SLICE_FMT(browse_command_event(b, " -e ")));
	case AS_BROWSE_THREADS:
		return as_arena_printf(&b->arena, "top%.*s --by thread -n 0%.*s",
			AS_SLICE_FMT(files), AS_SLICE_FMT(browse_command_event(b, " -s ")));
	default:
		return as_arena_printf(&b->arena, "info%.*s", AS_SLICE_FMT(files));
	}
}

struct as_slice as_browse_command(struct as_browse *b)
{
	struct as_slice view = browse_command_view(b, browse_command_files(b)),
			words = browse_command_words(b);
	const char *options = b->ask.options ? b->ask.options : "";
	struct as_slice found = {0};

	if (b->narrowed && b->st.search[0])
		found = as_arena_printf(&b->arena, " | grep -iE -e %.*s",
			AS_SLICE_FMT(browse_command_quote(b, as_slice_of(b->st.search))));
	return as_arena_printf(&b->arena, "assay %.*s%.*s%s%.*s", AS_SLICE_FMT(view),
		AS_SLICE_FMT(words), options, AS_SLICE_FMT(found));
}
