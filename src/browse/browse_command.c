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

/* The words of the view before the files, and behind them. */
static struct as_slice browse_command_view(struct as_browse *b, struct as_slice files)
{
	struct as_slice event = as_slice_of("");
	const char *up = b->st.bottom_up ? " --bottom-up" : "";
	const char *file = files.p ? files.p : "";
	int n = (int)files.len;

	if (as_n_events(b->prof) > 1)
		event = as_arena_printf(&b->arena, "%.*s",
			AS_SLICE_FMT(browse_command_quote(b, as_event_name(b->prof, b->st.event))));
	switch (b->st.view) {
	case AS_BROWSE_TABLE:
		return as_arena_printf(&b->arena, "%s%.*s%s -n 0%s%s%.*s",
			b->ask.base ? "diff" : "top", n, file, browse_command_by(b->st.by),
			b->st.inclusive ? " -s inclusive"
			: event.len     ? " -s "
					: "",
			b->st.inclusive && event.len ? ":" : "", AS_SLICE_FMT(event));
	case AS_BROWSE_PEEK:
		return as_arena_printf(&b->arena, "peek %.*s%.*s --rows 0%s%.*s",
			AS_SLICE_FMT(browse_command_func(b)), n, file, event.len ? " -s " : "",
			AS_SLICE_FMT(event));
	case AS_BROWSE_TREE:
	case AS_BROWSE_FLAME:
		return as_arena_printf(&b->arena, "%s%.*s%s%s%.*s",
			b->st.view == AS_BROWSE_TREE ? "tree" : "flame -f text --icicle", n, file,
			up, event.len ? " -s " : "", AS_SLICE_FMT(event));
	case AS_BROWSE_SOURCE:
	case AS_BROWSE_ASM:
		return as_arena_printf(&b->arena, "%s %.*s%.*s%s%.*s",
			b->st.view == AS_BROWSE_ASM ? "asm" : "list",
			AS_SLICE_FMT(browse_command_func(b)), n, file, event.len ? " -e " : "",
			AS_SLICE_FMT(event));
	case AS_BROWSE_THREADS:
		return as_arena_printf(&b->arena, "top%.*s --by thread -n 0%s%.*s", n, file,
			event.len ? " -s " : "", AS_SLICE_FMT(event));
	default:
		return as_arena_printf(&b->arena, "info%.*s", n, file);
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
