/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine for a browser: bytes in, questions in, JSON out. README.md says how a page uses it.
 *
 * Everything goes through the module's memory. JavaScript asks for room with assay_wasm_alloc(),
 * copies a file's bytes there, and opens a view of it; each answer is a text of its own, which it
 * frees. There is no OS here: one thread, no files, no compression (a browser undoes gzip itself).
 */
#include "engine.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

/* UTF-8, not ended by NUL; or boxes. */
struct text {
	struct as_sink_mem sm;
};

void *assay_wasm_alloc(size_t n);
void assay_wasm_free(void *p, size_t n);
struct engine *assay_wasm_open(const void *data, size_t n, const char *name, size_t n_name);
void assay_wasm_set_base(struct engine *e, struct engine *base);
void assay_wasm_close(struct engine *e);
struct text *assay_wasm_ask(struct engine *e, const char *question, size_t n);
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

/* ---- a view ---- */

/* NULL only if memory runs out: the question "check" tells what could not be read. DATA is copied.
 */
struct engine *EXPORT(assay_wasm_open)(const void *data, size_t n, const char *name, size_t n_name)
{
	return as_engine_open(
		&as_alloc_libc, (struct as_slice){data, n}, (struct as_slice){name, n_name});
}

/* Sets the profile that E is compared with; NULL: none. BASE outlives E or its replacement. */
void EXPORT(assay_wasm_set_base)(struct engine *e, struct engine *base)
{
	as_engine_diff_free(e->diff);
	e->diff = NULL;
	e->base = base;
}

void EXPORT(assay_wasm_close)(struct engine *e)
{
	as_engine_close(e);
}

/* NULL only if memory runs out. */
struct text *EXPORT(assay_wasm_ask)(struct engine *e, const char *question, size_t n)
{
	struct text *t = as_alloc_new(&as_alloc_libc, sizeof(*t));

	if (!t)
		return NULL;
	as_sink_mem_init(&t->sm, e->al);
	if (as_engine_ask(e, (struct as_slice){question, n}, &t->sm) == AS_OK)
		return t;
	assay_wasm_text_free(t);
	return NULL;
}

/* ---- what a host would add ---- */

bool as_lib_host_exec(struct as_exec *ex, uint32_t threads)
{
	(void)ex;
	(void)threads;
	return false;
}

void as_lib_host_how(struct as_read_opts *how)
{
	(void)how;
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

/* Division of 128 bits is in the compiler's library, which was built with a stack protector. */
uintptr_t __stack_chk_guard = 0x5ca1ab1e;
_Noreturn void __stack_chk_fail(void);

void __stack_chk_fail(void)
{
	__builtin_trap();
}
