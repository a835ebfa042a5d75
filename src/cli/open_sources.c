/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/open_sources.h"

#include "report/json.h"

static enum as_code put_list(struct as_open_sources *o, const struct as_profile *prof)
{
	struct as_json j;
	struct as_out out;
	struct as_err err;

	as_err_clear(&err);
	AS_TRY(as_out_open(&out, o->json.al, &o->json.sink, &err));
	as_json_init(&j, &out);
	as_json_array(&j, NULL);
	for (uint32_t i = 0; prof && i < prof->file.n; i++)
		as_json_text_or_null(&j, NULL, as_file_path(prof, (as_file){i}));
	as_json_array_end(&j);
	as_json_finish(&j);
	return as_out_finish(&out);
}

enum as_exit as_open_sources_init(
	struct as_open_sources *o, struct as_share *s, const struct as_share_args *args)
{
	struct as_listing_args listing = {.source_path = args->source_path, .page = &s->left_out};
	bool none = !s->n_files || args->no_source || args->no_code;

	*o = (struct as_open_sources){0};
	as_sink_mem_init(&o->json, s->cli->al);
	if (!none && !as_sources_init(&o->files, s->cli, &s->file[0].in, &listing))
		return as_cli_no_memory(s->cli);
	if (put_list(o, none ? NULL : s->file[0].in.prof) != AS_OK)
		return as_cli_no_memory(s->cli);
	o->list = (struct as_slice){o->json.data.p, o->json.data.n};
	return AS_EXIT_OK;
}

void as_open_sources_release(struct as_open_sources *o)
{
	if (o->files.cli)
		as_sources_release(&o->files);
	as_sink_mem_release(&o->json);
}

bool as_open_source(void *ctx, uint64_t n, struct as_slice *text)
{
	struct as_open_sources *o = ctx;

	if (!o->files.cli || !n || n >= o->files.prof->file.n)
		return false;
	return as_sources_text(&o->files, (as_file){(uint32_t)n}, text);
}
