/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine for a browser: bytes in, the JSON of `assay top`, `info` and `check` out.
 *
 * Everything goes through the module's memory. JavaScript asks for room with assay_wasm_alloc(),
 * copies a file's bytes there, and opens a view of it; each answer is a text of its own, which it
 * frees. tests/wasm/read.mjs shows how. There is no OS here: one thread, no files, no compression
 * (a browser undoes gzip itself).
 */
#include "lib/lib_impl.h"

#include "report/check.h"
#include "report/info.h"
#include "report/top.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

/* One input, read; or the reason why it could not be. */
struct view {
	struct assay_findings *findings;
	struct assay_profile *prof; /* NULL: see err */
	struct assay_error err;
};

/* UTF-8, not ended by NUL. */
struct text {
	struct as_sink_mem sm;
};

void *assay_wasm_alloc(size_t n);
void assay_wasm_free(void *p, size_t n);
struct view *assay_wasm_open(const void *data, size_t n);
void assay_wasm_close(struct view *v);
struct text *assay_wasm_top(const struct view *v, uint32_t by, uint32_t n_rows);
struct text *assay_wasm_info(const struct view *v);
struct text *assay_wasm_check(const struct view *v);
const char *assay_wasm_text_data(const struct text *t);
size_t assay_wasm_text_size(const struct text *t);
void assay_wasm_text_free(struct text *t);

/* ---- memory ---- */

void *EXPORT(assay_wasm_alloc)(size_t n)
{
	return as_alloc_new(&as_alloc_libc, n);
}

void EXPORT(assay_wasm_free)(void *p, size_t n)
{
	as_alloc_free(&as_alloc_libc, p, n);
}

/* ---- texts ---- */

static struct text *text_new(void)
{
	struct text *t = as_alloc_new(&as_alloc_libc, sizeof(*t));

	if (t)
		as_sink_mem_init(&t->sm, &as_alloc_libc);
	return t;
}

const char *EXPORT(assay_wasm_text_data)(const struct text *t)
{
	return t->sm.data.p;
}

size_t EXPORT(assay_wasm_text_size)(const struct text *t)
{
	return t->sm.data.n;
}

void EXPORT(assay_wasm_text_free)(struct text *t)
{
	if (!t)
		return;
	as_sink_mem_release(&t->sm);
	as_alloc_free(&as_alloc_libc, t, sizeof(*t));
}

/* What SAY writes about V; NULL if memory runs out. */
static struct text *text_of(const struct view *v,
	enum as_code (*say)(const struct view *v, const void *arg, struct as_out *out),
	const void *arg)
{
	struct text *t = text_new();
	enum as_code rc = AS_E_NOMEM;
	struct as_err err;
	struct as_out out;

	as_err_clear(&err);
	if (t && as_out_open(&out, &as_alloc_libc, &t->sm.sink, &err) == AS_OK) {
		rc = say(v, arg, &out);
		if (as_out_finish(&out) != AS_OK)
			rc = AS_E_NOMEM;
	}
	if (rc == AS_OK)
		return t;
	assay_wasm_text_free(t);
	return NULL;
}

/* ---- a view ---- */

/* NULL only if memory runs out: what could not be read is told by assay_wasm_check(). */
struct view *EXPORT(assay_wasm_open)(const void *data, size_t n)
{
	struct view *v = as_alloc_new(&as_alloc_libc, sizeof(*v));
	struct assay_open_options opts = {.size = sizeof(opts), .check = true};

	if (!v || assay_findings_new(NULL, &v->findings) != ASSAY_OK) {
		as_alloc_free(&as_alloc_libc, v, sizeof(*v));
		return NULL;
	}
	opts.findings = v->findings;
	if (assay_open_memory(data, n, &opts, &v->prof, &v->err) != ASSAY_OK)
		v->prof = NULL;
	return v;
}

void EXPORT(assay_wasm_close)(struct view *v)
{
	if (!v)
		return;
	assay_profile_free(v->prof);
	assay_findings_free(v->findings);
	as_alloc_free(&as_alloc_libc, v, sizeof(*v));
}

/* ---- answers ---- */

static enum as_code say_top(const struct view *v, const void *arg, struct as_out *out)
{
	struct as_top top;
	struct as_err err;
	enum as_code rc;

	as_err_clear(&err);
	rc = as_top_make(&top, as_lib_profile(v->prof), arg, &err);
	if (rc == AS_OK)
		as_top_json(&top, out);
	as_top_release(&top);
	return rc;
}

/* BY is an enum assay_by; N_ROWS 0 is all. NULL if there is no profile, or no memory. */
struct text *EXPORT(assay_wasm_top)(const struct view *v, uint32_t by, uint32_t n_rows)
{
	static const enum as_by as_by_of[] = {
		[ASSAY_BY_FUNCTION] = AS_BY_FUNC,
		[ASSAY_BY_FILE] = AS_BY_FILE,
		[ASSAY_BY_OBJECT] = AS_BY_OBJECT,
		[ASSAY_BY_LINE] = AS_BY_LINE,
		[ASSAY_BY_ADDRESS] = AS_BY_ADDR,
		[ASSAY_BY_FILEFUNCTION] = AS_BY_FILEFUNC,
	};
	struct as_top_opts opts = {.limit = n_rows};

	if (!v->prof || by >= AS_ARRAY_LEN(as_by_of))
		return NULL;
	opts.project.by = as_by_of[by];
	return text_of(v, say_top, &opts);
}

static enum as_code say_info(const struct view *v, const void *arg, struct as_out *out)
{
	static const struct as_symbol_report none; /* no names are looked for here */
	struct as_name_shares names;
	struct as_info info = {.prof = as_lib_profile(v->prof), .name = "", .names = &names};
	enum as_code rc = as_name_shares_make(&names, info.prof, &none);

	(void)arg;
	if (rc == AS_OK)
		as_info_json(&info, out);
	as_name_shares_release(&names);
	return rc;
}

struct text *EXPORT(assay_wasm_info)(const struct view *v)
{
	return v->prof ? text_of(v, say_info, NULL) : NULL;
}

static enum as_code say_check(const struct view *v, const void *arg, struct as_out *out)
{
	struct as_err err;
	struct as_slice format = {0};
	struct as_checked checked = {
		.name = "",
		.findings = &v->findings->f,
		.rc = (enum as_code)v->err.code,
		.err = &err,
	};
	char name[64];

	(void)arg;
	as_err_clear(&err);
	as_err_set(&err, checked.rc, "%s", v->err.message);
	err.off = v->err.offset;
	err.line = v->err.line;
	if (v->prof) {
		struct assay_info info = {.size = sizeof(info)};

		if (assay_profile_info(v->prof, &info) == ASSAY_OK)
			format = as_lib_text(info.format);
		as_escape(name, sizeof(name), format.p, format.len);
		checked.format = name;
	}
	as_check_json(&checked, 1, out);
	return AS_OK;
}

struct text *EXPORT(assay_wasm_check)(const struct view *v)
{
	return text_of(v, say_check, NULL);
}

/* ---- what a host would add ---- */

bool as_lib_host_exec(struct as_exec *ex, uint32_t threads)
{
	(void)ex;
	(void)threads;
	return false;
}

enum as_code as_lib_host_layer(
	const struct as_alloc *al, struct as_src **src, struct as_slice magic, struct as_err *err)
{
	(void)al;
	(void)src;
	if (as_slice_starts(magic, "\x1f\x8b") || as_slice_starts(magic, "\x28\xb5\x2f\xfd"))
		return as_err_set(err, AS_E_UNSUPPORTED, "the input is compressed");
	return AS_OK;
}
