/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing version 60: the newest that the Firefox Profiler upgrades and Perfetto reads. Keys that
 * begin with "assay" are ours; other programs do not look at them.
 */
#include "formats/firefox/firefox_write.h"

#include "base/date.h"
#include "formats/json_out.h"

void as_fx_put_text(struct fx_write *w, struct as_slice s)
{
	w->n_bad_text += !as_json_out_text(w->wr->out, s);
}

enum as_code as_fx_string_row(struct fx_write *w, struct as_slice s, uint32_t *row)
{
	uint64_t hash = as_hash_bytes(s.p, s.len), at = AS_INDEX_START;

	while (as_index_find(&w->strings, hash, &at, row))
		if (as_slice_eq(w->string.p[*row], s))
			return AS_OK;
	*row = (uint32_t)w->string.n;
	return as_err_memory(w->wr->err,
		as_vec_push(w->al, &w->string, s) && as_index_add(&w->strings, hash, *row));
}

/* ---- meta ---- */

/* Lines of metadata that the format has a place for. */
static const struct {
	const char *key, *member;
} facts[] = {{"recorded by", "product"}, {"imported from", "importedFrom"},
	{"arguments", "arguments"}, {"system", "oscpu"}, {"architecture", "abi"},
	{"processor", "CPUName"}};

static bool write_is_fact(const struct fx_write *w, const struct as_meta *m)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(facts); i++)
		if (as_slice_is(as_str_get(w->prof, m->key), facts[i].key))
			return true;
	return false;
}

static struct as_slice write_fact(const struct fx_write *w, const char *key)
{
	for (size_t i = 0; i < w->prof->meta.n; i++)
		if (as_slice_is(as_str_get(w->prof, w->prof->meta.p[i].key), key))
			return as_str_get(w->prof, w->prof->meta.p[i].text);
	return as_slice_of("");
}

static void firefox_write_facts(struct fx_write *w)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < AS_ARRAY_LEN(facts); i++) {
		struct as_slice text = write_fact(w, facts[i].key);

		if (!text.len && i)
			continue;
		as_out_printf(w->wr->out, ",\"%s\":", facts[i].member);
		as_fx_put_text(w, text.len ? text : as_slice_of(FX_PRODUCT));
	}
	for (size_t i = 0; i < w->prof->meta.n; i++)
		lost += !write_is_fact(w, &w->prof->meta.p[i]);
	as_losses_add_cap(w->wr->losses, AS_CAPBIT_META, lost);
}

static void write_start(struct fx_write *w)
{
	int64_t nanos = 0;

	if (w->prof->epoch.i && !as_date_to_nanos(as_str_get(w->prof, w->prof->epoch), &nanos))
		as_losses_add_cap(w->wr->losses, AS_CAPBIT_EPOCH, 1);
	if (nanos < 0) {
		as_losses_add_cap(w->wr->losses, AS_CAPBIT_EPOCH, 1);
		nanos = 0;
	}
	as_out_text(w->wr->out, ",\"startTime\":");
	as_fx_put_millis(w->wr->out, nanos);
	if (!w->prof->duration)
		return;
	as_out_text(w->wr->out, ",\"profilingStartTime\":0,\"profilingEndTime\":");
	as_fx_put_millis(w->wr->out, w->prof->duration);
}

static void write_events(struct fx_write *w)
{
	const char *before = "{\"name\":";

	as_out_text(w->wr->out, ",\"assayEvents\":[");
	for (uint32_t k = 0; k < w->prof->event.n; k++) {
		uint32_t event = as_event_in_column(w->prof, k);

		if (event == w->markers)
			continue;
		as_out_text(w->wr->out, before);
		before = ",{\"name\":";
		as_fx_put_text(w, as_event_name(w->prof, event));
		as_out_text(w->wr->out, ",\"unit\":");
		as_fx_put_text(w, as_str_get(w->prof, w->prof->event.p[event].unit));
		as_out_char(w->wr->out, '}');
	}
	as_out_char(w->wr->out, ']');
}

/* Perfetto knows the file by how it begins. */
static void write_meta(struct fx_write *w)
{
	as_out_text(w->wr->out,
		"{\"meta\":{\"version\":24,\"preprocessedProfileVersion\":60,\"interval\":1,"
		"\"processType\":0,\"debug\":false,\"stackwalk\":1,\"symbolicated\":true,"
		"\"markerSchema\":[],\"categories\":[{\"name\":\"Other\",\"color\":\"grey\","
		"\"subcategories\":[\"Other\"]}],\"extensions\":{\"length\":0,\"id\":[],\"name\":[]"
		","
		"\"baseURL\":[]},\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
		"\"threadCPUDelta\":\"ns\"}");
	write_start(w);
	firefox_write_facts(w);
	write_events(w);
	as_out_text(w->wr->out, "},");
}

/* ---- losses ---- */

/* Labels but the one that names the process. */
static void write_labels(struct fx_write *w)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < w->prof->label.n; i++)
		lost += !as_slice_is(as_str_get(w->prof, w->prof->label.p[i].key), "process") ||
			!w->prof->label.p[i].text.i;
	as_losses_add_cap(w->wr->losses, AS_CAPBIT_LABELS, lost);
}

static void firefox_write_losses(struct fx_write *w)
{
	struct as_losses *l = w->wr->losses;

	write_labels(w);
	as_losses_add(l, "moment-durations", w->n_durations, "duration{ of a moment|s of moments}");
	as_losses_add(l, "markers", w->n_repeated, "marker{|s} at the time of another one");
	as_losses_add(l, "lines-elsewhere", w->n_elsewhere,
		"line number{|s} of another file than the function's, or beyond 2^53");
	as_losses_add(l, "beyond-double", w->n_beyond,
		"cost{|s} beyond 2^53, which programs in JavaScript round");
	as_losses_add(l, "not-utf8", w->n_bad_text, "text{ that is|s that are} not UTF-8, changed");
}

/* ---- all of it ---- */

static enum as_code firefox_write_all(struct fx_write *w)
{
	as_arena_init(&w->arena, w->al);
	as_index_init(&w->strings, w->al);
	if (!as_has_markers(w->prof, &w->markers))
		w->markers = FX_NO_ROW;
	AS_TRY(as_fx_plan(w));
	write_meta(w);
	as_fx_put_libs(w);
	as_out_text(w->wr->out, "\"pages\":[],");
	AS_TRY(as_fx_put_tables(w));
	AS_TRY(as_fx_put_threads(w));
	firefox_write_losses(w);
	return w->wr->out->rc;
}

enum as_code as_fx_write(struct as_wr *wr, const struct as_profile *prof)
{
	struct fx_write w = {.wr = wr, .al = wr->al, .prof = prof};

	return firefox_write_all(&w);
}
