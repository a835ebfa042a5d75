/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"

#include <stdio.h>

#include "base/utf8_len.h"

/* For clang's analyzer these are macros, too: err.h. */
#undef as_err_set
#undef as_err_sys
#undef as_err_no_memory

void as_err_clear(struct as_err *err)
{
	if (!err)
		return;
	err->code = AS_OK;
	err->sys_errno = 0;
	err->off = AS_OFF_NONE;
	err->line = 0;
	err->name[0] = 0;
	err->msg[0] = 0;
}

void as_escape(char *dst, size_t size, const char *src, size_t len)
{
	size_t n = 0;

	for (size_t i = 0, plain; i < len && n + 5 < size; i += plain ? plain : 1) {
		plain = as_plain_len(src + i, len - i);
		if (plain)
			memcpy(dst + n, src + i, plain);
		n += plain ? plain : (size_t)snprintf(dst + n, 5, "\\x%02x", (unsigned char)src[i]);
	}
	if (size)
		dst[n] = 0;
}

enum as_code as_err_setv(struct as_err *err, enum as_code code, const char *fmt, va_list ap)
{
	char raw[sizeof(err->msg)];
	int n;

	if (!err)
		return code;
	n = vsnprintf(raw, sizeof(raw), fmt, ap);
	err->code = code;
	if (n < 0)
		n = 0;
	as_escape(err->msg, sizeof(err->msg), raw,
		(size_t)n < sizeof(raw) ? (size_t)n : sizeof(raw) - 1);
	return code;
}

enum as_code as_err_set(struct as_err *err, enum as_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	code = as_err_setv(err, code, fmt, ap);
	va_end(ap);
	return code;
}

enum as_code as_err_no_memory(struct as_err *err)
{
	return as_err_set(err, AS_E_NOMEM, "%s", as_code_text(AS_E_NOMEM));
}

enum as_code as_err_sys(struct as_err *err, int sys_errno, const char *what)
{
	if (err)
		err->sys_errno = sys_errno;
	return as_err_set(err, AS_E_IO, "%s: %s", what, strerror(sys_errno));
}

int as_err_text(const struct as_err *err, char *buf, size_t size)
{
	const char *name = err->name[0] ? err->name : "";
	const char *sep = err->name[0] ? ":" : "";

	if (err->line)
		return snprintf(buf, size, "%s%s%" PRIu64 ": %s", name, sep, err->line, err->msg);
	if (err->off != AS_OFF_NONE)
		return snprintf(
			buf, size, "%s%s offset 0x%" PRIx64 ": %s", name, sep, err->off, err->msg);
	return snprintf(buf, size, "%s%s%s", name, err->name[0] ? ": " : "", err->msg);
}

const char *as_code_text(enum as_code code)
{
	switch (code) {
	case AS_OK:
		return "ok";
	case AS_END:
		return "end of input";
	case AS_E_FORMAT:
		return "damaged input";
	case AS_E_TRUNC:
		return "truncated input";
	case AS_E_UNSUPPORTED:
		return "unsupported";
	case AS_E_LIMIT:
		return "limit exceeded";
	case AS_E_IO:
		return "input or output error";
	case AS_E_NOMEM:
		return "out of memory";
	case AS_E_ARG:
		return "invalid argument";
	case AS_E_CANCELLED:
		return "cancelled";
	case AS_E_NOTPROFILE:
		return "not a profile";
	}
	return "unknown";
}

char *as_val_text(as_val v, char *buf)
{
	as_uval u = v < 0 ? -(as_uval)v : (as_uval)v;
	char tmp[AS_VAL_TEXT];
	size_t i = sizeof(tmp), n = 0;

	do {
		tmp[--i] = (char)('0' + (int)(u % 10));
		u /= 10;
	} while (u);
	if (v < 0)
		buf[n++] = '-';
	memcpy(buf + n, tmp + i, sizeof(tmp) - i);
	buf[n + sizeof(tmp) - i] = 0;
	return buf;
}
