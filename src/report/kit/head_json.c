/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/head_json.h"

void as_json_profile(struct as_json *j, const struct as_profile *prof, const char *shape,
	const char *const *files, size_t n_files)
{
	as_json_object(j, "profile");
	as_json_text_or_null(j, "format", as_str_get(prof, prof->format));
	as_json_array(j, "files");
	for (size_t i = 0; i < n_files; i++)
		as_json_text(j, NULL, as_slice_of(files[i]));
	as_json_array_end(j);
	as_json_text(j, "shape", as_slice_of(shape ? shape : as_shape_text(prof)));
	as_json_bool(j, "estimated", prof->estimated);
	as_json_val_or_null(j, "path_depth", prof->path_depth != 0, (as_val)prof->path_depth);
	as_json_object_end(j);
}

void as_json_events(
	struct as_json *j, const struct as_profile *prof, const uint32_t *event, uint32_t n)
{
	as_json_array(j, "events");
	for (uint32_t i = 0; i < n; i++) {
		const struct as_event *ev = &prof->event.p[event[i]];

		as_json_object(j, NULL);
		as_json_text(j, "name", as_str_get(prof, ev->name));
		as_json_text_or_null(j, "unit", as_str_get(prof, ev->unit));
		as_json_val(j, "total", prof->total[event[i]]);
		if (ev->period) {
			as_json_u64(j, "period", ev->period);
			as_json_text_or_null(j, "period_unit", as_str_get(prof, ev->period_unit));
		}
		if (prof->whole)
			as_json_val(j, "whole", prof->whole[event[i]]);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}
