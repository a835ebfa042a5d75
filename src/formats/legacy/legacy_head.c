/* SPDX-License-Identifier: Apache-2.0 */
/* What the first line of a file says. docs/formats/legacy.md, "Layout". */
#include "formats/legacy/legacy.h"

bool as_lg_is_blank(struct as_slice line)
{
	line = as_slice_ltrim(as_slice_chop(line));
	return !line.len || line.p[0] == '#';
}

/* TEXT behind blanks, moved over. */
static bool legacy_head_take(struct as_slice *rest, const char *text)
{
	struct as_slice s = as_slice_ltrim(*rest);

	if (!as_slice_starts(s, text))
		return false;
	*rest = as_slice_skip(s, strlen(text));
	return true;
}

static bool legacy_head_number(struct as_slice *rest, uint64_t *v)
{
	*rest = as_slice_ltrim(*rest);
	return as_slice_take_dec(rest, v);
}

bool as_lg_take_four(struct as_slice *rest, uint64_t v[LG_NUMBERS])
{
	struct as_slice s = *rest;

	if (!legacy_head_number(&s, &v[0]) || !legacy_head_take(&s, ":") ||
		!legacy_head_number(&s, &v[1]) || !legacy_head_take(&s, "[") ||
		!legacy_head_number(&s, &v[2]) || !legacy_head_take(&s, ":") ||
		!legacy_head_number(&s, &v[3]) || !legacy_head_take(&s, "]"))
		return false;
	*rest = s;
	return true;
}

/* "heap_v2/524288", "heapprofile", "growthz" */
static bool take_kind(struct as_slice s, struct as_lg_head *head)
{
	static const char *const known[] = {"heapprofile", "heap", "heap_v2", "heapz_v2", "growth",
		"growthz", "fragmentation", "fragmentationz"};
	size_t slash;

	s = as_slice_trim(s);
	slash = as_slice_find(s, '/');
	head->name = (struct as_slice){s.p, slash};
	if (!as_slice_is_one_of(head->name, known))
		return false;
	return slash == s.len || slash + 1 == s.len ||
	       as_slice_dec(as_slice_skip(s, slash + 1), &head->rate);
}

static void parse_heap(struct as_slice rest, struct as_lg_head *head)
{
	head->kind = AS_LG_HEAP;
	head->whole = as_lg_take_four(&rest, head->total) && legacy_head_take(&rest, "@") &&
		      take_kind(rest, head);
}

static void parse_jemalloc(struct as_slice rest, struct as_lg_head *head)
{
	head->whole = as_slice_dec(as_slice_trim(rest), &head->rate);
	head->kind = head->whole ? AS_LG_JEMALLOC : AS_LG_NONE;
}

/* "goroutine profile: total 8" */
static void parse_go_count(struct as_slice line, struct as_lg_head *head)
{
	static const char mark[] = " profile: total ";
	size_t at = as_slice_find_text(line, mark);
	struct as_slice number;

	if (!at || at == line.len || !as_slice_is_text(line))
		return;
	number = as_slice_trim(as_slice_skip(line, at + strlen(mark)));
	head->name = (struct as_slice){line.p, at};
	head->whole = as_slice_dec(number, &head->total[0]);
	head->kind = head->whole ? AS_LG_COUNT : AS_LG_NONE;
}

void as_lg_head_parse(struct as_slice line, struct as_lg_head *head)
{
	static const struct {
		const char *text;
		enum as_lg_kind kind;
	} marks[] = {
		{"--- heapz", AS_LG_JAVA_HEAP},
		{"--- contentionz ", AS_LG_CONTENTION},
		{"--- contention:", AS_LG_CONTENTION},
		{"--- mutex:", AS_LG_CONTENTION},
		{"--- threadz ", AS_LG_THREAD},
		{"--- Thread ", AS_LG_THREAD},
	};
	struct as_slice rest = as_slice_chop(line);

	*head = (struct as_lg_head){.kind = AS_LG_NONE};
	for (size_t i = 0; i < AS_ARRAY_LEN(marks); i++)
		if (as_slice_starts(rest, marks[i].text)) {
			head->kind = marks[i].kind;
			head->whole = true;
			return;
		}
	if (legacy_head_take(&rest, "heap profile:"))
		parse_heap(rest, head);
	else if (as_slice_starts(rest, "heap_v2/"))
		parse_jemalloc(as_slice_skip(rest, 8), head);
	else
		parse_go_count(rest, head);
}
