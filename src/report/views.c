/* SPDX-License-Identifier: Apache-2.0 */
#include "report/views.h"

#include "report/kit/show.h"
#include "report/top.h"

unsigned as_view_indent(uint32_t depth)
{
	return 2 * (depth < AS_VIEW_LEVELS ? depth : AS_VIEW_LEVELS);
}

struct as_slice as_view_name(struct as_arena *ar, struct as_view_func f)
{
	return as_show_func(ar, f.prof, f.name, f.key->object, f.key->addr);
}

struct as_slice as_view_where(struct as_arena *ar, struct as_view_func f)
{
	struct as_slice file = as_file_path(f.prof, f.key->file);

	return as_show_where(ar, file.len ? file : as_object_path(f.prof, f.key->object), 0);
}

const char *as_view_again(const struct as_style *style)
{
	return style->utf8 ? " \u21bb" : " (r)";
}

const char *as_view_by(enum as_by by)
{
	static const char *const word[] = {
		"function", "file", "object", "line", "address", "filefunction"};

	return word[by];
}

uint32_t as_view_first(const struct as_view_opts *opts)
{
	for (uint32_t i = 0; i < opts->n_events; i++)
		if (opts->event[i] == opts->sort_event)
			return i;
	return 0;
}

bool as_view_has_address(struct as_view_func f)
{
	return !f.name.len && (f.key->addr || f.key->object.i);
}

void as_view_json_func(struct as_json *j, struct as_view_func f)
{
	as_json_text_or_null(j, "function", f.name);
	as_json_text_or_null(j, "file", as_file_path(f.prof, f.key->file));
	as_json_text_or_null(j, "object", as_object_path(f.prof, f.key->object));
	if (as_view_has_address(f))
		as_json_addr(j, "address", f.key->addr);
	else
		as_json_null(j, "address");
}
