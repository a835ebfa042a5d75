/* SPDX-License-Identifier: Apache-2.0 */
#include "change/kit/clone_name.h"

enum { RUST_HASH = 16 };

static bool clone_name_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* S without a last ".WORD", ".WORD.N": its length, or that of S. */
static size_t clone_name_cut_word(struct as_slice s)
{
	static const char *const word[] = {
		".isra", ".part", ".constprop", ".cold", ".llvm", ".lto_priv"};
	size_t end = s.len;

	while (end > 0 && clone_name_is_digit(s.p[end - 1]))
		end--;
	if (end == s.len || !end || s.p[end - 1] != '.')
		end = s.len; /* no number */
	else
		end--;
	for (size_t i = 0; i < AS_ARRAY_LEN(word); i++) {
		bool bare = strcmp(word[i], ".cold") == 0; /* the one that needs no number */

		if ((end < s.len || bare) && as_slice_ends((struct as_slice){s.p, end}, word[i]))
			return end - strlen(word[i]);
	}
	return s.len;
}

/* S without a last " [clone .WORD.N]", of any word: only compilers make them. */
static size_t cut_brackets(struct as_slice s)
{
	static const char open[] = " [clone ";
	size_t len = sizeof(open) - 1;

	if (!s.len || s.p[s.len - 1] != ']')
		return s.len;
	for (size_t i = s.len - 1; i > 0; i--)
		if (s.p[i] == '[')
			return i > 1 && s.len - i + 1 > len && memcmp(s.p + i - 1, open, len) == 0
				       ? i - 1
				       : s.len;
	return s.len;
}

/* S without a last "::h" and sixteen hexadecimal digits. */
static size_t cut_hash(struct as_slice s)
{
	size_t n = RUST_HASH + 3;

	if (s.len <= n || memcmp(s.p + s.len - n, "::h", 3) != 0)
		return s.len;
	for (size_t i = s.len - RUST_HASH; i < s.len; i++)
		if (!clone_name_is_digit(s.p[i]) && (s.p[i] < 'a' || s.p[i] > 'f'))
			return s.len;
	return s.len - n;
}

struct as_slice as_clone_origin(struct as_slice name)
{
	struct as_slice s = name;

	for (;;) {
		size_t n = clone_name_cut_word(s);

		if (n == s.len)
			n = cut_brackets(s);
		if (n == s.len)
			n = cut_hash(s);
		if (n == s.len || !n)
			return s;
		s.len = n;
	}
}
