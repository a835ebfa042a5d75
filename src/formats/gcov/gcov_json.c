/* SPDX-License-Identifier: Apache-2.0 */
/* `gcov --json-format`. docs/formats/gcov.md §1. */
#include "formats/gcov/gcov.h"

static bool gcov_json_branches(struct as_gc *gc)
{
	as_pull_array(&gc->in.js);
	while (as_pull_item(&gc->in.js)) {
		gc->branches++;
		if (!as_pull_skip(&gc->in.js))
			return false;
	}
	return !gc->in.js.why;
}

static bool gcov_json_line(struct as_gc *gc)
{
	struct gc_line l = {0};
	struct as_slice key, name;
	bool ok = true;

	as_pull_object(&gc->in.js);
	while (ok && as_pull_key(&gc->in.js, &key)) {
		if (as_slice_is(key, "line_number"))
			ok = as_json_in_count(&gc->in, &l.number);
		else if (as_slice_is(key, "count"))
			ok = as_json_in_count(&gc->in, &l.count);
		else if (as_slice_is(key, "function_name"))
			ok = as_pull_text(&gc->in.js, &name) &&
			     as_json_in_room(&gc->in, as_gc_func(gc, name, &l.func));
		else if (as_slice_is(key, "branches"))
			ok = gcov_json_branches(gc);
		else
			ok = as_pull_skip(&gc->in.js);
	}
	return ok && !gc->in.js.why && as_json_in_room(&gc->in, as_gc_line(gc, l));
}

static bool gcov_json_func(struct as_gc *gc)
{
	struct gc_func f = {.name = as_slice_of(""), .demangled = as_slice_of("")}, *to;
	struct as_slice key;
	uint32_t row;
	bool ok = true;

	as_pull_object(&gc->in.js);
	while (ok && as_pull_key(&gc->in.js, &key)) {
		if (as_slice_is(key, "name"))
			ok = as_json_in_text(&gc->in, &gc->arena, &f.name);
		else if (as_slice_is(key, "demangled_name"))
			ok = as_json_in_text(&gc->in, &gc->arena, &f.demangled);
		else if (as_slice_is(key, "start_line"))
			ok = as_json_in_count(&gc->in, &f.line);
		else if (as_slice_is(key, "execution_count"))
			ok = f.has_calls = as_json_in_count(&gc->in, &f.calls);
		else
			ok = as_pull_skip(&gc->in.js);
	}
	if (!ok || gc->in.js.why || !as_json_in_room(&gc->in, as_gc_func(gc, f.name, &row)))
		return false;
	to = &gc->func.p[row - 1];
	f.name = to->name;
	*to = f;
	return true;
}

static bool gcov_json_array(struct as_gc *gc, bool (*each)(struct as_gc *gc))
{
	as_pull_array(&gc->in.js);
	while (as_pull_item(&gc->in.js))
		if (!each(gc))
			return false;
	return !gc->in.js.why;
}

static enum as_code gcov_json_file(struct as_gc *gc)
{
	struct as_slice key;
	bool ok = true;

	gc->file = as_slice_of("");
	as_pull_object(&gc->in.js);
	while (ok && as_pull_key(&gc->in.js, &key)) {
		if (as_slice_is(key, "file"))
			ok = as_json_in_text(&gc->in, &gc->arena, &gc->file);
		else if (as_slice_is(key, "lines"))
			ok = gcov_json_array(gc, gcov_json_line);
		else if (as_slice_is(key, "functions"))
			ok = gcov_json_array(gc, gcov_json_func);
		else
			ok = as_pull_skip(&gc->in.js);
	}
	return gc->in.js.why ? AS_OK : as_gc_put(gc); /* what is wrong is told at the end */
}

enum as_code as_gc_read_json(struct as_gc *gc)
{
	struct as_slice key;

	AS_TRY(as_json_in_open(&gc->in, gc->rd, gc->al));
	as_pull_object(&gc->in.js);
	while (as_pull_key(&gc->in.js, &key)) {
		gc->has_version |= as_slice_is(key, "gcc_version");
		if (!as_slice_is(key, "files")) {
			as_pull_skip(&gc->in.js);
			continue;
		}
		as_pull_array(&gc->in.js);
		while (as_pull_item(&gc->in.js))
			AS_TRY(gcov_json_file(gc));
	}
	if (gc->files)
		as_json_in_keep(&gc->in);
	AS_TRY(as_json_in_end(&gc->in));
	if (!gc->has_version)
		return as_rd_fail(gc->rd, AS_E_FORMAT, 0, 0, "it has no version of gcc");
	if (!gc->files)
		return as_rd_find(gc->rd, AS_F_NO_SAMPLES, AS_OFF_NONE, 0,
			"the file has no lines: nothing was built or run so");
	AS_TRY(as_gc_tell_branches(gc));
	return as_json_in_tell(&gc->in, "files that are whole");
}
