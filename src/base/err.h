/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What went wrong, and where. The caller owns the struct; its texts are fixed
 * buffers, so reporting that memory ran out needs no memory and nothing has to
 * be freed.
 *
 * Messages: lower case, no full stop, names in 'quotes', "what was expected,
 * what was found". The place is kept apart from the message.
 */
#ifndef AS_BASE_ERR_H
#define AS_BASE_ERR_H

#include <stdarg.h>

#include "base/base.h"

#define AS_OFF_NONE UINT64_MAX

struct as_err {
	enum as_code code;
	int sys_errno;  /* 0, or the errno behind AS_E_IO */
	uint64_t off;   /* byte offset in the decompressed input, or AS_OFF_NONE */
	uint64_t line;  /* 1-based, 0 when the input has no lines */
	char name[512]; /* of the input or output, "" when unknown */
	char msg[512];  /* foreign bytes in it are escaped */
};

void as_err_clear(struct as_err *err);
/* The same as an initialiser. */
#define AS_ERR_NONE                \
	{                          \
		.off = AS_OFF_NONE \
	}

/* Fill ERR and return CODE. ERR may be NULL. Control bytes in the text become \xNN. */
enum as_code as_err_set(struct as_err *err, enum as_code code, const char *fmt, ...)
	AS_PRINTF(3, 4);
enum as_code as_err_setv(struct as_err *err, enum as_code code, const char *fmt, va_list ap)
	AS_PRINTF(3, 0);

/* AS_E_NOMEM, in the words that everyone uses. */
enum as_code as_err_no_memory(struct as_err *err);
/* AS_OK if OK, which says that an allocation succeeded; else as as_err_no_memory(). */
static inline enum as_code as_err_memory(struct as_err *err, bool ok)
{
	return AS_LIKELY(ok) ? AS_OK : as_err_no_memory(err);
}

/* AS_E_IO: "WHAT: what the system says of SYS_ERRNO". */
enum as_code as_err_sys(struct as_err *err, int sys_errno, const char *what);

/* "NAME:LINE: MSG" or "NAME: offset 0x1c8: MSG"; returns what snprintf would. */
int as_err_text(const struct as_err *err, char *buf, size_t size);

/* "out of memory", "damaged input" ...: a short word for a code. */
const char *as_code_text(enum as_code code);

/* Copy SRC to DST of SIZE bytes, what does not show itself as \xNN a byte; cut at the end. */
void as_escape(char *dst, size_t size, const char *src, size_t len);

/* V in decimal into BUF (at least 41 bytes); returns BUF. */
char *as_val_text(as_val v, char *buf);
enum { AS_VAL_TEXT = 48 };

#ifdef __clang_analyzer__
/* The analyzer looks into no other file: it is told that none of these returns AS_OK. */
#define as_err_set(err, code, ...) ((void)as_err_set(err, code, __VA_ARGS__), (code))
#define as_err_sys(err, sys_errno, what) ((void)as_err_sys(err, sys_errno, what), AS_E_IO)
#define as_err_no_memory(err) ((void)as_err_no_memory(err), AS_E_NOMEM)
#define as_err_memory(err, ok) ((ok) ? AS_OK : as_err_no_memory(err))
#endif

#endif
