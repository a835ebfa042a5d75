/* SPDX-License-Identifier: Apache-2.0 */
/* The list of formats, made from src/formats/meson.build. */
#include "formats/format.h"
#include "formats/format_list.h"

#ifdef AS_FEWER_FORMATS
#define AS_HAVE_FORMATS(X) AS_PAGE_FORMATS(X)
#define HAVE_FLAGS false /* no reader of these has an option of yes or no */
#else
#define AS_HAVE_FORMATS(X) AS_FORMATS(X)
#define HAVE_FLAGS true
#endif

#define X(name) extern const struct as_format as_format_##name;
AS_HAVE_FORMATS(X)
#undef X

const struct as_format *const as_formats[] = {
#define X(name) &as_format_##name,
	AS_HAVE_FORMATS(X)
#undef X
		NULL,
};

const struct as_format *as_format_by_name(struct as_slice name)
{
	for (size_t i = 0; as_formats[i]; i++)
		if (as_slice_is(name, as_formats[i]->name))
			return as_formats[i];
	return NULL;
}

const struct as_format *as_format_of(const struct as_profile *prof)
{
	static const struct as_format none = {0};
	const struct as_format *fmt = as_format_by_name(as_str_get(prof, prof->format));

	return fmt ? fmt : &none;
}

bool as_opts_have(const struct as_opt *opts, struct as_slice key)
{
	for (const struct as_opt *o = opts; o && o->key; o++)
		if (as_slice_is(key, o->key))
			return true;
	return false;
}

bool as_opts_take(const struct as_opt *opts, const char *pair)
{
	static const char *const no[] = {"no", "off", "false", "0"};
	struct as_slice key = {pair, strcspn(pair, "=")};
	struct as_slice value = as_slice_skip(as_slice_of(pair), key.len + (pair[key.len] != 0));

	for (const struct as_opt *o = opts; o && o->key; o++)
		if (as_slice_is(key, o->key))
			return !HAVE_FLAGS || strcmp(o->value, "yes|no") != 0 ||
			       as_slice_is_one_of(value, no) ||
			       as_opts_flag(&(struct as_opts){&pair, 1}, o->key, false);
	return false;
}

bool as_format_has_ext(const struct as_format *fmt, struct as_slice ext)
{
	struct as_slice rest = as_slice_of(fmt->exts), one;

	while (fmt->exts && as_slice_cut(&rest, ',', &one))
		if (one.len && as_slice_eq(one, ext))
			return true;
	return false;
}

/* "callgrind.out.12" has the extensions 12, out and callgrind: the last that is known wins. */
const struct as_format *as_format_by_ext(struct as_slice file_name)
{
	struct as_slice rest = as_base_name(file_name), word;
	const struct as_format *found = NULL;

	while (as_slice_cut(&rest, '.', &word))
		for (size_t i = 0; as_formats[i]; i++)
			if (as_formats[i]->write && as_format_has_ext(as_formats[i], word))
				found = as_formats[i];
	return found;
}
