/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that a file itself gives to addresses: the location lines of Java profiles and the
 * symbol section that Perl's `pprof --raw` writes. docs/formats/gperf.md, "Variants".
 */
#include "formats/addr_names.h"

#include "formats/format.h"

/* Frames of the profiler's own handler, as both pprofs know them. */
static bool addr_names_is_handler(struct as_slice func)
{
	static const char *const known[] = {
		"ProfileData::Add",
		"ProfileData::prof_handler",
		"CpuProfiler::prof_handler",
		"__pthread_sighandler",
		"__restore_rt",
		"__restore",
	};
	struct as_slice plain = func;

	plain.len = as_slice_find(func, '('); /* without the parameters */
	return as_slice_is_one_of(plain, known);
}

/* "0xADDR" and what follows it after blanks. */
static bool take_addr(struct as_slice *rest, uint64_t *addr)
{
	struct as_slice word;

	return as_slice_word(rest, &word) && as_slice_starts(word, "0x") &&
	       as_slice_hex(as_slice_skip(word, 2), addr);
}

/* "name (inner)": the last parenthesis, which a blank precedes. */
static bool cut_parenthesis(struct as_slice s, struct as_slice *name, struct as_slice *inner)
{
	size_t at = s.len;

	if (!s.len || s.p[s.len - 1] != ')')
		return false;
	while (at > 1 && !(s.p[at - 1] == '(' && (s.p[at - 2] == ' ' || s.p[at - 2] == '\t')))
		at--;
	if (at <= 1)
		return false;
	*inner = (struct as_slice){s.p + at, s.len - at - 1};
	*name = as_slice_trim((struct as_slice){s.p, at - 1});
	return true;
}

/* "file:line". A negative line means that it is not known. */
static bool cut_line(struct as_slice s, struct as_slice *file, uint64_t *line)
{
	size_t at = as_slice_up_to_last(s, ':');
	bool minus;

	if (at < 2)
		return false;
	*file = (struct as_slice){s.p, at - 1};
	s = as_slice_skip(s, at);
	minus = s.len && s.p[0] == '-';
	if (!as_slice_dec(minus ? as_slice_skip(s, 1) : s, line))
		return false;
	if (minus)
		*line = 0;
	return true;
}

bool as_java_name_parse(struct as_slice line, struct as_addr_name *out)
{
	struct as_slice rest = as_slice_chop(line), inner;

	*out = (struct as_addr_name){0};
	if (!take_addr(&rest, &out->addr))
		return false;
	out->func = as_slice_trim(rest);
	if (cut_parenthesis(out->func, &out->func, &inner)) {
		if (!cut_line(inner, &out->file, &out->line))
			out->object = inner; /* code of a shared library */
	} else if (as_slice_find_text(out->func, "generated stub/JIT") < out->func.len) {
		out->func = as_slice_of("STUB");
	}
	return out->func.len > 0;
}

bool as_symbol_name_parse(struct as_slice line, struct as_addr_name *out)
{
	struct as_slice rest = as_slice_chop(line);

	*out = (struct as_addr_name){0};
	if (!take_addr(&rest, &out->addr))
		return false;
	out->func = as_slice_trim(rest);
	out->handler = addr_names_is_handler(out->func);
	return out->func.len > 0;
}

bool as_symbols_skip(struct as_slice *rest)
{
	struct as_slice line;
	size_t at;

	if (!as_slice_starts(*rest, AS_SYMBOL_MARK))
		return false;
	at = as_slice_find_text(*rest, "\n---");
	if (at == rest->len)
		return false;
	*rest = as_slice_skip(*rest, at + 1);
	return as_slice_cut(rest, '\n', &line) && rest->len;
}

const struct as_addr_name *as_addr_names_find(const struct as_addr_names *names, uint64_t addr)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&names->index, as_hash_mix(addr, 2), &pos, &row))
		if (names->row.p[row].addr == addr)
			return &names->row.p[row];
	return NULL;
}

bool as_addr_names_add(struct as_addr_names *names, const struct as_addr_name *name)
{
	const struct as_addr_name *old = as_addr_names_find(names, name->addr);
	const struct as_alloc *al = names->arena->al;
	struct as_addr_name own = *name;

	own.func = as_arena_dup(names->arena, name->func);
	own.file = as_arena_dup(names->arena, name->file);
	own.object = as_arena_dup(names->arena, name->object);
	if (!own.func.p || !own.file.p || !own.object.p)
		return false;
	if (old) {
		names->row.p[old - names->row.p] = own;
		return true;
	}
	names->index.al = al;
	return as_vec_push(al, &names->row, own) &&
	       as_index_add(&names->index, as_hash_mix(name->addr, 2), (uint32_t)names->row.n - 1);
}
