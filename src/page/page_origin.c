/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about a file that only the program knows: names found, findings, losses. */
#include "page/page.h"

#include "formats/format.h"
#include "report/kit/json.h"

/* A document that stands in another one. */
static void put_names(const struct as_page_origin *o, struct as_out *out)
{
	struct as_json j;

	as_json_init(&j, out);
	as_json_array(&j, NULL);
	for (size_t i = 0; i < o->n_files; i++)
		as_json_text(&j, NULL, as_base_name(as_slice_of(o->file[i])));
	as_json_array_end(&j);
}

static void page_origin_put_notes(const struct as_page_origin *o, struct as_out *out)
{
	struct as_json j;

	as_json_init(&j, out);
	as_json_array(&j, NULL);
	for (size_t i = 0; i < o->n_notes; i++)
		as_json_text(&j, NULL, o->note[i]);
	as_json_array_end(&j);
}

enum as_code as_page_origin(const struct as_page_origin *o, struct as_out *out)
{
	as_out_text(out, "{\"files\": ");
	put_names(o, out);
	as_out_text(out, ", \"info\": ");
	AS_TRY(as_info_json(o->info, out));
	as_out_text(out, ", \"check\": ");
	AS_TRY(as_check_data(
		o->checked, o->n_checked, &(struct as_sheet_to){AS_FORM_JSON, out, NULL}));
	as_out_text(out, ", \"notes\": ");
	page_origin_put_notes(o, out);
	if (o->base.len) {
		as_out_text(out, ", \"base\": ");
		as_out_slice(out, o->base);
	}
	as_out_text(out, "}\n");
	return AS_OK;
}
