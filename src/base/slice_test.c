/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/slice.h"

#include <cmocka.h>

/* Bytes are looked at in groups: one alone decides wherever it stands. */
static void test_a_control_character_anywhere_makes_it_no_text(void **state)
{
	char s[200];

	(void)state;
	for (size_t len = 0; len <= sizeof(s); len++) {
		memset(s, 'a', sizeof(s));
		assert_true(as_slice_is_text((struct as_slice){s, len}));
		for (size_t i = 0; i < sizeof(s); i++) {
			s[i] = '\1';
			assert_int_equal(as_slice_is_text((struct as_slice){s, len}), i >= len);
			s[i] = 'a';
		}
	}
}

static void test_of_all_bytes_only_controls_are_in_no_text(void **state)
{
	char s[64];

	(void)state;
	for (unsigned c = 0; c < 256; c++) {
		bool text = c >= 0x20 || c == '\t' || c == '\n' || c == '\r';

		memset(s, 'a', sizeof(s));
		s[17] = (char)c;
		assert_int_equal(as_slice_is_text((struct as_slice){s, sizeof(s)}), text);
		assert_int_equal(as_slice_is_text((struct as_slice){s + 17, 1}), text);
	}
}

static size_t find_slowly(const char *s, size_t len, const char *text)
{
	for (size_t i = 0; i + strlen(text) <= len; i++)
		if (strncmp(s + i, text, strlen(text)) == 0)
			return i;
	return len;
}

/* At every place of a short and of a long text, behind what looks like its beginning. */
static void test_a_text_is_found_where_it_first_stands(void **state)
{
	static const char *const texts[] = {
		"a", "ab", "aab", "abab", "seconds", "\n@[x", "aaaaaaab"};
	char s[1200];

	(void)state;
	for (size_t k = 0; k < AS_ARRAY_LEN(texts); k++) {
		size_t n = strlen(texts[k]);

		for (size_t len = 40; len <= sizeof(s); len += sizeof(s) - 40)
			for (size_t at = 0; at + n <= len; at++) {
				for (size_t i = 0; i < len; i++)
					s[i] = n > 1 ? texts[k][i % (n - 1)] : '.';
				for (size_t i = n; i <= at; i += n)
					s[at - i] = 'z'; /* no whole one before */
				memcpy(s + at, texts[k], n);
				assert_int_equal(
					as_slice_find_text((struct as_slice){s, len}, texts[k]),
					find_slowly(s, len, texts[k]));
				assert_int_equal(
					as_slice_find_text(
						(struct as_slice){s, at + n - 1}, texts[k]),
					find_slowly(s, at + n - 1, texts[k]));
			}
	}
}

/* The hash of LEN and of words that are filled up with zeros. */
static uint64_t slow_hash(const char *text, size_t len)
{
	uint64_t h = as_hash_mix(len, 0x2545f4914f6cdd1du), w;

	for (size_t at = 0; at < len; at += 8) {
		w = 0;
		memcpy(&w, text + at, len - at < 8 ? len - at : 8);
		h = as_hash_mix(h, w);
	}
	return h;
}

static void test_a_hash_is_that_of_words_filled_up(void **state)
{
	const char *text = "/usr/lib/x86_64-linux-gnu/libexample.so.1.2.3";

	(void)state;
	for (size_t len = 0; len <= strlen(text); len++)
		assert_true(as_hash_bytes(text, len) == slow_hash(text, len));
}

int slice_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_control_character_anywhere_makes_it_no_text),
		cmocka_unit_test(test_of_all_bytes_only_controls_are_in_no_text),
		cmocka_unit_test(test_a_text_is_found_where_it_first_stands),
		cmocka_unit_test(test_a_hash_is_that_of_words_filled_up),
	};

	return cmocka_run_group_tests_name("slice", tests, NULL, NULL);
}
