/* SPDX-License-Identifier: Apache-2.0 */
/* XML as formats meet it, element by element. The host knows how to read it. */
#ifndef AS_IO_XML_IN_H
#define AS_IO_XML_IN_H

#include "base/alloc.h"
#include "base/slice.h"

/* Told in the order of the text; false ends it. */
struct as_xml_to {
	void *ctx;
	/* ATTR has names and values in turn, and NULL at the end. */
	bool (*begin)(void *ctx, const char *name, const char *const *attr);
	bool (*text)(void *ctx, struct as_slice piece); /* some of what stands in an element */
	bool (*end)(void *ctx);
};

struct as_xml_fault {
	const char *why; /* constant */
	uint64_t off, line;
};

struct as_xml {
	/* TO outlives it. NULL: out of memory. */
	void *(*open)(const struct as_alloc *al, const struct as_xml_to *to);
	/*
	 * The next bytes; LAST: the document ends behind them. AS_END: TO said so. AS_E_TRUNC: it
	 * ends too early, AS_E_FORMAT: it is damaged, AS_E_LIMIT: something in it is too long,
	 * which FAULT describes; AS_E_NOMEM.
	 */
	enum as_code (*feed)(
		void *xml, struct as_slice piece, bool last, struct as_xml_fault *fault);
	void (*close)(const struct as_alloc *al, void *xml); /* NULL is fine */
};

#endif
