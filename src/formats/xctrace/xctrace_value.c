/* SPDX-License-Identifier: Apache-2.0 */
/* What elements say: numbers, threads, code and stacks. docs/formats/xctrace.md §2 to §4. */
#include "formats/xctrace/xctrace.h"

/* ---- ids ---- */

static bool value_find(struct as_xc *xc, uint64_t id, uint32_t *row)
{
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&xc->ids, as_hash_mix(id, 1), &at, row))
		if (xc->known.p[*row].id == id)
			return true;
	return false;
}

/* The first one stays. */
enum as_code as_xc_keep(struct as_xc *xc, uint64_t id, struct xc_value value)
{
	struct xc_known one = {id, value};
	uint32_t row;

	if (value_find(xc, id, &row))
		return AS_OK;
	row = (uint32_t)xc->known.n;
	return as_err_memory(xc->rd->err, as_vec_push(xc->al, &xc->known, one) &&
						  as_index_add(&xc->ids, as_hash_mix(id, 1), row));
}

struct xc_value as_xc_known(struct as_xc *xc, uint64_t id)
{
	uint32_t row;

	return value_find(xc, id, &row) ? xc->known.p[row].value : (struct xc_value){XC_OTHER, 0};
}

/* ---- what a tag says ---- */

/* The last TEXT in S, or its length. */
static size_t value_last(struct as_slice s, const char *text)
{
	size_t n = strlen(text);

	for (size_t i = s.len < n ? 0 : s.len - n + 1; i-- > 0;)
		if (memcmp(s.p + i, text, n) == 0)
			return i;
	return s.len;
}

/* "main  0x3c606d (rust_test2, pid: 21790)", "rust_test2 (21790)" */
static enum as_code value_name(
	struct as_xc *xc, struct xc_open *o, struct as_slice text, const char *end)
{
	text.len = value_last(text, end);
	o->name = as_arena_dup(&xc->arena, as_slice_trim(text));
	return as_err_memory(xc->rd->err, o->name.p);
}

/* A UUID without its dashes. */
static enum as_code value_uuid(struct as_xc *xc, struct xc_open *o, struct as_slice text)
{
	char uuid[64];
	size_t n = 0;

	for (size_t i = 0; i < text.len && n < sizeof(uuid); i++)
		if (text.p[i] != '-')
			uuid[n++] = text.p[i];
	if (!as_slice_is_hex((struct as_slice){uuid, n}))
		return AS_OK;
	o->name = as_arena_dup(&xc->arena, (struct as_slice){uuid, n});
	return as_err_memory(xc->rd->err, o->name.p);
}

static enum as_code value_binary_attr(
	struct as_xc *xc, struct xc_open *o, const char *name, struct as_slice value)
{
	if (strcmp(name, "UUID") == 0)
		return value_uuid(xc, o, value);
	if (strcmp(name, "load-addr") == 0 && !as_slice_num(value, &o->addr))
		o->addr = 0;
	if (strcmp(name, "path") == 0 && value.len)
		return as_build_str(xc->rd->out, value, &o->name_str);
	if (strcmp(name, "name") == 0 && !o->name_str.i)
		return as_build_str(xc->rd->out, value, &o->name_str);
	return AS_OK;
}

/* Code without a name has its address for one. */
static enum as_code value_frame_attr(
	struct as_xc *xc, struct xc_open *o, const char *name, struct as_slice value)
{
	uint64_t unused;

	if (strcmp(name, "addr") == 0 && !as_slice_num(value, &o->addr))
		o->addr = 0;
	if (strcmp(name, "name") != 0 ||
		(as_slice_starts(value, "0x") && as_slice_num(value, &unused)))
		return AS_OK;
	return as_build_str(xc->rd->out, value, &o->name_str);
}

enum as_code as_xc_value_attr(
	struct as_xc *xc, struct xc_open *o, const char *name, struct as_slice value)
{
	switch (o->kind) {
	case XC_THREAD:
		return strcmp(name, "fmt") ? AS_OK : value_name(xc, o, value, " 0x");
	case XC_PROCESS:
		return strcmp(name, "fmt") ? AS_OK : value_name(xc, o, value, " (");
	case XC_BINARY:
		return value_binary_attr(xc, o, name, value);
	case XC_FRAME:
		return value_frame_attr(xc, o, name, value);
	case XC_SOURCE:
		if (strcmp(name, "line") == 0 && !as_slice_dec(value, &o->line))
			o->line = 0;
		return AS_OK;
	default:
		return AS_OK;
	}
}

/* ---- what is in an element ---- */

enum as_code as_xc_value_in(struct as_xc *xc, struct xc_open *o, struct xc_value value)
{
	as_place place = {(uint32_t)value.v};

	if (o->kind == XC_STACK && value.kind == XC_FRAME)
		return as_err_memory(xc->rd->err, as_vec_push(xc->al, &xc->frame, place));
	if (o->kind == XC_STACK && value.kind == XC_STACK)
		o->value = value;
	else if (value.kind == XC_TID || value.kind == XC_PID)
		o->number = value;
	else if (value.kind == XC_PROCESS)
		o->process = value;
	else if (value.kind == XC_BINARY)
		o->binary = value;
	else if (value.kind == XC_SOURCE || value.kind == XC_PATH)
		o->source = value;
	return AS_OK;
}

/* ---- all of an element ---- */

static enum as_code value_thread(struct as_xc *xc, const struct xc_open *o, struct xc_value *value)
{
	struct as_tally_thread one = {.name = o->name};
	uint64_t tid = o->number.v;

	if (o->process.kind == XC_PROCESS) {
		const struct xc_process *p = &xc->process.p[o->process.v];

		one.process = p->name;
		one.pid = p->pid;
		one.has_pid = p->has_pid;
	}
	if (o->number.kind == XC_TID) {
		one.has_tid = tid <= UINT32_MAX;
		one.tid = one.has_tid ? (uint32_t)tid : 0;
		one.number = one.has_tid ? 0 : tid;
	}
	*value = (struct xc_value){XC_THREAD, xc->thread.n};
	return as_err_memory(xc->rd->err, as_vec_push(xc->al, &xc->thread, one));
}

static enum as_code value_process(struct as_xc *xc, const struct xc_open *o, struct xc_value *value)
{
	struct xc_process one = {.name = o->name};

	one.has_pid = o->number.kind == XC_PID && o->number.v <= UINT32_MAX;
	one.pid = one.has_pid ? (uint32_t)o->number.v : 0;
	*value = (struct xc_value){XC_PROCESS, xc->process.n};
	return as_err_memory(xc->rd->err, as_vec_push(xc->al, &xc->process, one));
}

static enum as_code value_binary(struct as_xc *xc, const struct xc_open *o, struct xc_value *value)
{
	struct as_build *b = xc->rd->out;
	struct xc_binary one = {.start = o->addr};

	AS_TRY(as_build_object(b, as_str_get(b->prof, o->name_str), o->name, &one.object));
	if (one.object.i)
		b->prof->object.p[one.object.i].addr_kind = AS_ADDR_IMAGE;
	*value = (struct xc_value){XC_BINARY, xc->binary.n};
	return as_err_memory(xc->rd->err, as_vec_push(xc->al, &xc->binary, one));
}

static enum as_code value_source(struct as_xc *xc, const struct xc_open *o, struct xc_value *value)
{
	struct xc_source one = {.line = o->line};

	if (o->source.kind == XC_PATH)
		one.file.i = (uint32_t)o->source.v;
	*value = (struct xc_value){XC_SOURCE, xc->source.n};
	return as_err_memory(xc->rd->err, as_vec_push(xc->al, &xc->source, one));
}

/* Each address is one behind the code that it means. */
static enum as_code value_frame(struct as_xc *xc, const struct xc_open *o, struct xc_value *value)
{
	struct as_build *b = xc->rd->out;
	struct as_func_row row = {.name = o->name_str};
	struct as_pos pos = {.addr = o->addr - (o->addr != 0)};
	as_place place;

	if (o->binary.kind == XC_BINARY) {
		const struct xc_binary *bin = &xc->binary.p[o->binary.v];

		row.object = bin->object;
		pos.addr = pos.addr >= bin->start ? pos.addr - bin->start : 0;
	}
	if (o->source.kind == XC_SOURCE) {
		row.file = xc->source.p[o->source.v].file;
		pos.line = xc->source.p[o->source.v].line;
	}
	pos.file = row.file;
	if (!row.name.i)
		row.addr = pos.addr;
	AS_TRY(as_build_func_row(b, &row, &pos.func));
	AS_TRY(as_build_place(b, &pos, &place));
	*value = (struct xc_value){XC_FRAME, place.i};
	return AS_OK;
}

static enum as_code value_stack(struct as_xc *xc, const struct xc_open *o, struct xc_value *value)
{
	as_node node = {0};

	if (xc->rd->lim.depth && xc->frame.n - o->first > xc->rd->lim.depth)
		return as_rd_fail(xc->rd, AS_E_LIMIT, AS_OFF_NONE, 0,
			"a stack is deeper than %" PRIu64 " frames", xc->rd->lim.depth);
	*value = o->value;
	while (xc->frame.n > o->first)
		AS_TRY(as_build_push(xc->rd->out, node, xc->frame.p[--xc->frame.n], &node));
	if (value->kind == XC_OTHER)
		*value = (struct xc_value){XC_STACK, node.i};
	return AS_OK;
}

static enum as_code value_path(struct as_xc *xc, struct as_slice text, struct xc_value *value)
{
	as_file file = {0};

	if (text.len)
		AS_TRY(as_build_file(xc->rd->out, text, &file));
	*value = (struct xc_value){XC_PATH, file.i};
	return AS_OK;
}

enum as_code as_xc_value_make(struct as_xc *xc, struct xc_open *o, struct xc_value *value)
{
	struct as_slice text = as_slice_trim((struct as_slice){xc->text.p, xc->text.n});

	*value = (struct xc_value){XC_OTHER, 0};
	switch (o->kind) {
	case XC_THREAD:
		return value_thread(xc, o, value);
	case XC_PROCESS:
		return value_process(xc, o, value);
	case XC_BINARY:
		return value_binary(xc, o, value);
	case XC_SOURCE:
		return value_source(xc, o, value);
	case XC_FRAME:
		return value_frame(xc, o, value);
	case XC_STACK:
		return value_stack(xc, o, value);
	case XC_PATH:
		return value_path(xc, text, value);
	default:
		if (as_slice_dec(text, &value->v))
			value->kind = o->kind;
		return AS_OK;
	}
}
