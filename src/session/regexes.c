/* SPDX-License-Identifier: Apache-2.0 */
#include "session/filters.h"

#include "regex/regex.h"

static enum as_code regexes_make(void *ctx, struct as_slice text, bool ignore_case, void **re,
	size_t *place, struct as_err *err)
{
	struct as_regex_opts opts = {.ignore_case = ignore_case};
	struct as_regex *made;

	(void)ctx;
	opts.place = place;
	AS_TRY(as_regex_new(text, &opts, &made, err));
	*re = made;
	return AS_OK;
}

static bool regexes_match(const void *re, struct as_slice text)
{
	return as_regex_match(re, text);
}

static void regexes_release(void *re)
{
	as_regex_free(re);
}

const struct as_regexes as_regexes_re2 = {NULL, regexes_make, regexes_match, regexes_release};
