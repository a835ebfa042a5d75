/* SPDX-License-Identifier: Apache-2.0 */
/* XML by expat. Its own memory is libc's: it grows with the names of elements and attributes, and
 * with the longest tag. */
#include "io/file.h"

#if AS_HAVE_EXPAT

#include <expat.h>

/* A tag or a comment that is longer is not that of any writer. */
enum { TOKEN_MAX = 4 << 20 };

struct expat_xml {
	XML_Parser parser;
	struct as_xml_to to;
	uint64_t fed;
	const char *refused; /* what it is that is not read */
	bool over;           /* expat tells the end of <a/> also where its beginning ended it */
};

static void expat_check(struct expat_xml *x, bool go_on)
{
	if (go_on)
		return;
	x->over = true;
	(void)XML_StopParser(x->parser, XML_FALSE);
}

static void XMLCALL expat_begin(void *ctx, const XML_Char *name, const XML_Char **attr)
{
	struct expat_xml *x = ctx;

	expat_check(x, !x->over && x->to.begin(x->to.ctx, name, (const char *const *)attr));
}

static void XMLCALL expat_end(void *ctx, const XML_Char *name)
{
	struct expat_xml *x = ctx;

	(void)name;
	expat_check(x, !x->over && x->to.end(x->to.ctx));
}

static void XMLCALL expat_text(void *ctx, const XML_Char *text, int n)
{
	struct expat_xml *x = ctx;

	expat_check(x, !x->over && x->to.text(x->to.ctx, (struct as_slice){text, (size_t)n}));
}

/* Entities, which can make a short text long, are declared nowhere else. */
static void XMLCALL expat_doctype(void *ctx, const XML_Char *name, const XML_Char *system_id,
	const XML_Char *public_id, int has_more)
{
	struct expat_xml *x = ctx;

	(void)name;
	(void)system_id;
	(void)public_id;
	(void)has_more;
	x->refused = "a document type is declared, which is not read";
	(void)XML_StopParser(x->parser, XML_FALSE);
}

static void expat_close(const struct as_alloc *al, void *xml)
{
	struct expat_xml *x = xml;

	if (!x)
		return;
	if (x->parser)
		XML_ParserFree(x->parser);
	as_alloc_free(al, x, sizeof(*x));
}

static void *expat_open(const struct as_alloc *al, const struct as_xml_to *to)
{
	struct expat_xml *x = as_alloc_new(al, sizeof(*x));

	if (!x)
		return NULL;
	*x = (struct expat_xml){.parser = XML_ParserCreate(NULL), .to = *to};
	if (!x->parser) {
		expat_close(al, x);
		return NULL;
	}
	XML_SetUserData(x->parser, x);
	XML_SetElementHandler(x->parser, expat_begin, expat_end);
	XML_SetCharacterDataHandler(x->parser, expat_text);
	XML_SetStartDoctypeDeclHandler(x->parser, expat_doctype);
	return x;
}

static enum as_code expat_failed(struct expat_xml *x, bool last, struct as_xml_fault *fault)
{
	enum XML_Error code = XML_GetErrorCode(x->parser);

	*fault = (struct as_xml_fault){.why = x->refused ? x->refused : XML_ErrorString(code),
		.off = (uint64_t)XML_GetCurrentByteIndex(x->parser),
		.line = XML_GetCurrentLineNumber(x->parser)};
	switch (code) {
	case XML_ERROR_ABORTED:
		return x->refused ? AS_E_FORMAT : AS_END;
	case XML_ERROR_NO_MEMORY:
		return AS_E_NOMEM;
	case XML_ERROR_NO_ELEMENTS:
	case XML_ERROR_UNCLOSED_TOKEN:
	case XML_ERROR_PARTIAL_CHAR:
	case XML_ERROR_UNCLOSED_CDATA_SECTION:
		return last ? AS_E_TRUNC : AS_E_FORMAT;
	default:
		return AS_E_FORMAT;
	}
}

static enum as_code expat_feed(
	void *xml, struct as_slice piece, bool last, struct as_xml_fault *fault)
{
	struct expat_xml *x = xml;

	while (piece.len || last) {
		size_t n = piece.len < TOKEN_MAX ? piece.len : TOKEN_MAX;
		bool end = last && n == piece.len;

		if (XML_Parse(x->parser, piece.p, (int)n, end) != XML_STATUS_OK)
			return expat_failed(x, end, fault);
		if (end)
			break;
		x->fed += n;
		piece = as_slice_skip(piece, n);
		if (x->fed - (uint64_t)XML_GetCurrentByteIndex(x->parser) <= TOKEN_MAX)
			continue;
		*fault = (struct as_xml_fault){.why = "a tag is longer than 4 MB",
			.off = (uint64_t)XML_GetCurrentByteIndex(x->parser),
			.line = XML_GetCurrentLineNumber(x->parser)};
		return AS_E_LIMIT;
	}
	return AS_OK;
}

const struct as_xml *as_expat_xml(void)
{
	static const struct as_xml xml = {expat_open, expat_feed, expat_close};

	return &xml;
}

/* "expat_2.5.0" */
const char *as_expat_version(void)
{
	const char *version = XML_ExpatVersion(), *number = strchr(version, '_');

	return number ? number + 1 : version;
}

#else

const struct as_xml *as_expat_xml(void)
{
	return NULL;
}

const char *as_expat_version(void)
{
	return "";
}

#endif
