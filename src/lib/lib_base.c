/* SPDX-License-Identifier: Apache-2.0 */
/* What all of the public API rests on: results, values, sized structs, memory. */
#include "lib/lib_impl.h"

#include <stdio.h>

#include "base/build_config.h"

enum { STRUCT_MAX = 64 * 1024 }; /* a size beyond this was never set */

_Static_assert((int)ASSAY_END == (int)AS_END, "codes differ");
_Static_assert((int)ASSAY_E_FORMAT == (int)AS_E_FORMAT, "codes differ");
_Static_assert((int)ASSAY_E_TRUNC == (int)AS_E_TRUNC, "codes differ");
_Static_assert((int)ASSAY_E_UNSUPPORTED == (int)AS_E_UNSUPPORTED, "codes differ");
_Static_assert((int)ASSAY_E_LIMIT == (int)AS_E_LIMIT, "codes differ");
_Static_assert((int)ASSAY_E_IO == (int)AS_E_IO, "codes differ");
_Static_assert((int)ASSAY_E_NOMEM == (int)AS_E_NOMEM, "codes differ");
_Static_assert((int)ASSAY_E_ARG == (int)AS_E_ARG, "codes differ");
_Static_assert((int)ASSAY_E_CANCELLED == (int)AS_E_CANCELLED, "codes differ");
_Static_assert((int)ASSAY_E_NOTPROFILE == (int)AS_E_NOTPROFILE, "codes differ");
_Static_assert(ASSAY_NO_OFFSET == AS_OFF_NONE, "offsets differ");

const char *assay_version(void)
{
	return AS_VERSION;
}

const char *assay_code_text(enum assay_code code)
{
	return as_code_text((enum as_code)code);
}

struct assay_slice assay_slice_of(const char *text)
{
	return as_lib_slice(as_slice_of(text));
}

/* ---- results ---- */

_Static_assert(
	sizeof(((struct assay_error *)0)->name) == sizeof(((struct as_err *)0)->name) &&
		sizeof(((struct assay_error *)0)->message) == sizeof(((struct as_err *)0)->msg),
	"error texts differ");

enum assay_code as_lib_end(enum as_code rc, const struct as_err *err, struct assay_error *out)
{
	if (!out)
		return (enum assay_code)rc;
	*out = (struct assay_error){.code = (enum assay_code)rc, .offset = ASSAY_NO_OFFSET};
	if (rc == AS_OK)
		return ASSAY_OK;
	out->sys_errno = err->sys_errno;
	out->offset = err->off;
	out->line = err->line;
	memcpy(out->name, err->name, sizeof(out->name));
	if (err->msg[0])
		memcpy(out->message, err->msg, sizeof(out->message));
	else
		(void)snprintf(out->message, sizeof(out->message), "%s", as_code_text(rc));
	return (enum assay_code)rc;
}

enum assay_code as_lib_misuse(struct assay_error *out, const char *what)
{
	struct as_err err;

	as_err_clear(&err);
	return as_lib_end(as_err_set(&err, AS_E_ARG, "%s", what), &err, out);
}

/* ---- structs that grow ---- */

bool as_lib_take(void *own, size_t known, const void *given)
{
	const char *bytes = given;
	size_t size;

	as_assert(known >= sizeof(size));
	memset(own, 0, known);
	if (!given)
		return true;
	memcpy(&size, given, sizeof(size));
	if (size < sizeof(size) || size > STRUCT_MAX)
		return false;
	for (size_t i = known; i < size; i++)
		if (bytes[i])
			return false;
	memcpy(own, given, size < known ? size : known);
	return true;
}

enum assay_code as_lib_give(void *to, const void *own, size_t known)
{
	size_t size;

	as_assert(known >= sizeof(size));
	if (!to)
		return ASSAY_E_ARG;
	memcpy(&size, to, sizeof(size));
	if (size < sizeof(size) || size > STRUCT_MAX)
		return ASSAY_E_ARG;
	memset(to, 0, size);
	memcpy(to, own, size < known ? size : known);
	memcpy(to, &size, sizeof(size));
	return ASSAY_OK;
}

/* ---- values ---- */

struct assay_value assay_value_of(int64_t v)
{
	return as_lib_value(v);
}

enum assay_code assay_value_i64(struct assay_value v, int64_t *out)
{
	as_val x = as_lib_val(v);

	if (!out)
		return ASSAY_E_ARG;
	*out = x > INT64_MAX ? INT64_MAX : x < INT64_MIN ? INT64_MIN : (int64_t)x;
	return *out == x ? ASSAY_OK : ASSAY_E_LIMIT;
}

int assay_value_text(struct assay_value v, char *buf, size_t size)
{
	char text[AS_VAL_TEXT];

	return snprintf(buf, size, "%s", as_val_text(as_lib_val(v), text));
}

/* ---- memory ---- */

enum assay_code assay_allocator_new(void *(*resize)(void *ctx, void *p, size_t old, size_t size),
	void *ctx, struct assay_allocator **out)
{
	const struct as_alloc al = {.resize = resize, .ctx = ctx};

	if (!out)
		return ASSAY_E_ARG;
	*out = NULL;
	if (!resize)
		return ASSAY_E_ARG;
	*out = as_alloc_new(&al, sizeof(**out));
	if (!*out)
		return ASSAY_E_NOMEM;
	(*out)->al = al;
	return ASSAY_OK;
}

void assay_allocator_free(struct assay_allocator *al)
{
	struct as_alloc own;

	if (!al)
		return;
	own = al->al; /* it lies in the memory that it frees */
	as_alloc_free(&own, al, sizeof(*al));
}
