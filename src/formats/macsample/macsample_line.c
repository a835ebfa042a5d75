/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the call graph. docs/formats/macsample.md §2. */
#include "formats/macsample/macsample.h"

/* "    +   ! 36248 main  (in plugin-container) + 103  [0x106fa0f07]" */
bool as_ms_line(struct as_slice line, struct ms_line *out)
{
	struct as_slice rest = line;

	while (rest.len && rest.p[0] && strchr(" +!:|", rest.p[0]))
		rest = as_slice_skip(rest, 1);
	out->column = line.len - rest.len;
	if (!as_slice_take_dec(&rest, &out->count) || !rest.len || rest.p[0] != ' ')
		return false;
	out->text = as_slice_trim(rest);
	return out->text.len;
}

/* The last TEXT in S, or its length. */
static size_t macsample_line_last(struct as_slice s, const char *text)
{
	size_t at = s.len, from = 0;

	for (;;) {
		size_t next = as_slice_find_text(as_slice_skip(s, from), text);

		if (next >= s.len - from)
			return at;
		at = from + next;
		from = at + 1;
	}
}

/* Behind the object: " + 103  [0x106fa0f07]", "  load address 0x1000 + 0x12  [0x1012]",
 * "  main.c:12  [0x1012]". */
static void macsample_line_where(struct as_slice s, struct ms_frame *f)
{
	struct as_slice word, rest;
	uint64_t unused;

	if (!as_slice_word(&s, &word))
		return;
	if (as_slice_is(word, "load") && as_slice_word(&s, &word) && as_slice_word(&s, &word)) {
		if (as_slice_num(word, &unused) && as_slice_word(&s, &word) &&
			as_slice_is(word, "+") && as_slice_word(&s, &word) &&
			!as_slice_num(word, &f->offset))
			f->offset = 0;
		return;
	}
	rest = word;
	rest.len = as_slice_up_to_last(word, ':');
	if (rest.len < 2 || !as_slice_dec(as_slice_skip(word, rest.len), &f->line))
		return;
	f->file = (struct as_slice){rest.p, rest.len - 1};
}

void as_ms_frame(struct as_slice text, struct ms_frame *f)
{
	size_t in = macsample_line_last(text, "  (in "), close;
	struct as_slice rest;

	*f = (struct ms_frame){.name = text};
	if (in < text.len) {
		rest = as_slice_skip(text, in + 6);
		close = as_slice_find(rest, ')');
		f->object = (struct as_slice){rest.p, close};
		f->name.len = in;
		macsample_line_where(as_slice_skip(rest, close < rest.len ? close + 1 : close), f);
	} else {
		f->name.len = macsample_line_last(text, "  [0x");
	}
	f->name = as_slice_trim(f->name);
	if (as_slice_is(f->name, "???"))
		f->name = as_slice_of("");
}

bool as_ms_thread(struct as_slice text, struct as_tally_thread *thread)
{
	struct as_slice rest;
	uint64_t id;

	*thread = (struct as_tally_thread){.name = as_slice_of("")};
	if (!as_slice_starts(text, "Thread_"))
		return false;
	rest = as_slice_skip(text, 7);
	if (!as_slice_take_dec(&rest, &id))
		return false;
	thread->tid = (uint32_t)id;
	thread->has_tid = id <= UINT32_MAX;
	if (rest.len && rest.p[0] == ':')
		rest = as_slice_skip(rest, 1);
	thread->name = as_slice_trim(rest);
	if (!thread->name.len) /* else all of a process would be one */
		thread->name = text;
	return true;
}
