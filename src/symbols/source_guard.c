/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "symbols/source_guard.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/format.h"

bool as_is_source_name(struct as_slice path)
{
	static const char *const end[] = {"C", "F", "F03", "F08", "F77", "F90", "F95", "H", "S",
		"ada", "adb", "ads", "asm", "c", "c++", "cc", "clj", "cpp", "cppm", "cr", "cs",
		"cts", "cu", "cuh", "cxx", "d", "dart", "def", "di", "erl", "ex", "exs", "f", "f03",
		"f08", "f77", "f90", "f95", "for", "fs", "go", "h", "h++", "hh", "hpp", "hrl", "hs",
		"hxx", "i", "ii", "inc", "inl", "ipp", "ixx", "java", "jl", "js", "jsx", "kt",
		"kts", "l", "lex", "lhs", "ll", "lua", "m", "mjs", "ml", "mli", "mm", "mts", "nim",
		"odin", "pas", "php", "pl", "pm", "pp", "py", "pyi", "pyx", "r", "rb", "rkt", "rs",
		"s", "scala", "scm", "swift", "tcc", "tcl", "tpp", "ts", "tsx", "txx", "v", "vala",
		"x", "y", "yy", "zig"};
	struct as_slice name = as_base_name(path);
	size_t dot = as_slice_up_to_last(name, '.');

	return dot > 1 && as_slice_is_one_of(as_slice_skip(name, dot), end);
}

bool as_is_hidden(struct as_slice path)
{
	struct as_slice part;

	while (as_slice_cut(&path, '/', &part))
		if (part.len && part.p[0] == '.' && !as_slice_is(part, ".") &&
			!as_slice_is(part, ".."))
			return true;
	return false;
}

bool as_path_is_below(struct as_slice path, struct as_slice dir, struct as_slice *rest)
{
	while (dir.len && dir.p[dir.len - 1] == '/')
		dir.len--;
	if (path.len < dir.len || (dir.len && memcmp(path.p, dir.p, dir.len) != 0))
		return false;
	*rest = as_slice_skip(path, dir.len);
	return !rest->len || rest->p[0] == '/';
}

bool as_is_system_path(struct as_slice path)
{
	struct as_slice rest;

	if (as_path_is_below(path, as_slice_of("/dev/shm"), &rest))
		return false;
	return as_path_is_below(path, as_slice_of("/dev"), &rest) ||
	       as_path_is_below(path, as_slice_of("/proc"), &rest) ||
	       as_path_is_below(path, as_slice_of("/sys"), &rest);
}

/* What follows DIR, which may be a link itself. */
static bool is_below_real(struct as_slice real, const char *dir, struct as_slice *rest)
{
	char buf[PATH_MAX];

	return realpath(dir, buf) && as_path_is_below(real, as_slice_of(buf), rest);
}

const char *as_source_forbidden(const struct as_source_guard *guard, const char *path,
	const struct stat *st, struct as_slice asked)
{
	static const char hidden[] = "it is hidden, or in a hidden directory";
	char buf[PATH_MAX];
	struct as_slice real, rest;
	struct stat found;

	if (!realpath(path, buf) || stat(buf, &found) || found.st_dev != st->st_dev ||
		found.st_ino != st->st_ino)
		return "it was replaced while it was read";
	real = as_slice_of(buf);
	for (size_t i = 0; i < guard->n_root; i++)
		if (is_below_real(real, guard->root[i], &rest))
			return as_is_hidden(rest) ? hidden : NULL;
	if (!as_is_source_name(real))
		return "its name does not end as that of source does";
	if (is_below_real(real, ".", &rest))
		return as_is_hidden(rest) ? hidden : NULL;
	if (as_is_hidden(real))
		return hidden;
	if (!(st->st_mode & S_IROTH))
		return "it is not everybody's to read";
	if (!guard->named || !guard->named(guard->ctx, asked))
		return "no binary's debug information names it, only the profile does";
	return NULL;
}

const char *as_binary_forbidden(const struct as_source_guard *guard, const char *path, bool proven)
{
	char buf[PATH_MAX];
	struct as_slice rest;
	struct stat st;

	if (proven)
		return NULL;
	if (!realpath(path, buf) || stat(buf, &st))
		return "it was replaced while it was read";
	for (size_t i = 0; i < guard->n_root; i++)
		if (is_below_real(as_slice_of(buf), guard->root[i], &rest))
			return NULL;
	if (is_below_real(as_slice_of(buf), ".", &rest) || (st.st_mode & S_IROTH))
		return NULL;
	return "it is not everybody's to read, and no build id proves that it was recorded";
}
