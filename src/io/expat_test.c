/* SPDX-License-Identifier: Apache-2.0 */
/* XML in pieces of any size, cut at every byte, and what is refused. */
#include "io/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const char whole[] = "<?xml version=\"1.0\"?>\n<a x='1' y='&lt;&#233;'>t&amp;u"
			    "<b/><![CDATA[<v>]]></a>\n";

/* What was told, as one text. */
struct heard {
	char text[256];
	size_t n;
	bool stop; /* at the next beginning */
};

static bool expat_hear(struct heard *h, const char *p, size_t n)
{
	if (n > sizeof(h->text) - h->n)
		n = sizeof(h->text) - h->n;
	memcpy(h->text + h->n, p, n);
	h->n += n;
	return true;
}

static bool expat_hear_begin(void *ctx, const char *name, const char *const *attr)
{
	struct heard *h = ctx;

	expat_hear(h, "(", 1);
	expat_hear(h, name, strlen(name));
	for (; *attr; attr++) {
		expat_hear(h, " ", 1);
		expat_hear(h, *attr, strlen(*attr));
	}
	expat_hear(h, ":", 1);
	return !h->stop;
}

static bool expat_hear_text(void *ctx, struct as_slice piece)
{
	return expat_hear(ctx, piece.p, piece.len);
}

static bool expat_hear_end(void *ctx)
{
	return expat_hear(ctx, ")", 1);
}

static enum as_code expat_parse(
	struct heard *h, struct as_slice text, size_t piece, struct as_xml_fault *fault)
{
	const struct as_xml *xml = as_expat_xml();
	struct as_xml_to to = {h, expat_hear_begin, expat_hear_text, expat_hear_end};
	enum as_code rc = AS_OK;
	void *x;

	if (!xml)
		skip();
	x = xml->open(&as_alloc_libc, &to);
	assert_non_null(x);
	while (rc == AS_OK && text.len) {
		size_t n = piece < text.len ? piece : text.len;

		rc = xml->feed(x, (struct as_slice){text.p, n}, false, fault);
		text = as_slice_skip(text, n);
	}
	if (rc == AS_OK)
		rc = xml->feed(x, (struct as_slice){"", 0}, true, fault);
	xml->close(&as_alloc_libc, x);
	return rc;
}

static void test_elements_are_told_in_pieces_of_any_size(void **state)
{
	static const char told[] = "(a x 1 y <\xc3\xa9:t&u(b:)<v>)";
	struct as_xml_fault fault;

	(void)state;
	for (size_t piece = 1; piece <= sizeof(whole); piece++) {
		struct heard h = {.n = 0};

		assert_int_equal(expat_parse(&h, as_slice_of(whole), piece, &fault), AS_OK);
		assert_int_equal(h.n, sizeof(told) - 1);
		assert_memory_equal(h.text, told, h.n);
	}
}

static void test_a_text_that_is_cut_is_told_from_a_damaged_one(void **state)
{
	struct as_xml_fault fault;
	size_t end = strlen(whole) - 1; /* without the end of the last line it is whole */

	(void)state;
	for (size_t n = 0; n < end; n++) {
		struct heard h = {.n = 0};

		assert_int_equal(
			expat_parse(&h, (struct as_slice){whole, n}, 7, &fault), AS_E_TRUNC);
	}
	for (size_t n = 0; n < 2; n++) {
		static const char *const bad[] = {"<a>\n<b></a>", "<a>\n&x;</a>"};
		struct heard h = {.n = 0};

		assert_int_equal(expat_parse(&h, as_slice_of(bad[n]), 64, &fault), AS_E_FORMAT);
		assert_int_equal(fault.line, 2);
		assert_true(fault.why[0]);
	}
}

static void test_who_listens_may_end_it(void **state)
{
	struct heard h = {.stop = true};
	struct as_xml_fault fault;

	(void)state;
	assert_int_equal(expat_parse(&h, as_slice_of("<a/>"), 64, &fault), AS_END);
	assert_int_equal(h.n, 3);
	assert_memory_equal(h.text, "(a:", 3);
}

/* Each entity is a thousand of the one before. */
static void test_entities_are_refused(void **state)
{
	struct heard h = {.n = 0};
	struct as_xml_fault fault;

	(void)state;
	assert_int_equal(expat_parse(&h, as_slice_of("<!DOCTYPE a [<!ENTITY x 'xx'>]><a>&x;</a>"),
				 64, &fault),
		AS_E_FORMAT);
	assert_string_equal(fault.why, "a document type is declared, which is not read");
	assert_int_equal(h.n, 0);
}

static void test_a_tag_without_end_is_not_kept_for_ever(void **state)
{
	size_t n = 10 << 20;
	char *text = malloc(n);
	struct heard h = {.n = 0};
	struct as_xml_fault fault;

	(void)state;
	assert_non_null(text);
	memset(text, 'x', n);
	memcpy(text, "<a y='", 6);
	assert_int_equal(expat_parse(&h, (struct as_slice){text, n}, 1 << 20, &fault), AS_E_LIMIT);
	free(text);
}

int expat_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_elements_are_told_in_pieces_of_any_size),
		cmocka_unit_test(test_a_text_that_is_cut_is_told_from_a_damaged_one),
		cmocka_unit_test(test_who_listens_may_end_it),
		cmocka_unit_test(test_entities_are_refused),
		cmocka_unit_test(test_a_tag_without_end_is_not_kept_for_ever),
	};

	return cmocka_run_group_tests_name("expat", tests, NULL, NULL);
}
