/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of the directory: what was recorded, threads, mappings, symbols. */
#include "base/sort.h"
#include "formats/uftrace/uftrace.h"

enum { INFO_HEAD = 40, INFO_CLASS_MAX = 2, VERSION_MIN = 3, VERSION_MAX = 4 };

/* ---- info ---- */

static enum as_code uftrace_text_refuse(struct uftrace *u, const char *what, uint64_t value)
{
	return as_rd_fail(u->rd, AS_E_UNSUPPORTED, u->b.off, 0,
		"%s %" PRIu64 " of uftrace is not known", what, value);
}

/* "0.073948997 sec", in nanoseconds; false if it is none. */
static bool uftrace_text_seconds(struct as_slice text, uint64_t *ns)
{
	struct as_slice whole;
	uint64_t part = 0, scale = UINT64_C(100000000);

	if (!as_slice_cut(&text, '.', &whole) || !as_slice_dec(whole, ns) ||
		*ns > INT64_MAX / 1000000000)
		return false;
	*ns *= 1000000000;
	for (size_t i = 0; text.p && i < text.len && scale; i++, scale /= 10) {
		if (text.p[i] < '0' || text.p[i] > '9')
			break;
		part += (uint64_t)(text.p[i] - '0') * scale;
	}
	*ns += part;
	return true;
}

static void uftrace_text_info_line(struct uftrace *u, struct as_slice line)
{
	struct as_profile *prof = u->rd->out->prof;
	struct as_slice key;
	uint64_t ns;

	if (!as_slice_cut(&line, ':', &key) || !line.p)
		return;
	if (as_slice_is(key, "cmdline"))
		u->command = line;
	else if (as_slice_is(key, "uftrace_version"))
		u->creator = line;
	else if (as_slice_is(key, "elapsed_time") && uftrace_text_seconds(line, &ns))
		prof->duration = (int64_t)ns;
}

enum as_code as_uftrace_info(struct uftrace *u, struct as_slice text)
{
	uint64_t version, head;
	struct as_slice line;

	if (text.len < INFO_HEAD || memcmp(text.p, "Ftrace!", 8) != 0)
		return as_rd_fail(u->rd, AS_E_FORMAT, u->b.off, 0,
			"'info' does not begin with 'Ftrace!' and a head of %d bytes", INFO_HEAD);
	if (text.p[14] != 1 && text.p[14] != 2)
		return uftrace_text_refuse(u, "the byte order", (unsigned char)text.p[14]);
	u->big = text.p[14] == 2;
	version = uftrace_number(u, text.p + 8, 4);
	head = uftrace_number(u, text.p + 12, 2);
	if (version < VERSION_MIN || version > VERSION_MAX)
		return uftrace_text_refuse(u, "version", version);
	if (head < INFO_HEAD || head > text.len)
		return as_rd_fail(u->rd, AS_E_FORMAT, u->b.off + 12, 0,
			"the head of 'info' cannot have %" PRIu64 " bytes", head);
	u->features = uftrace_number(u, text.p + 16, 8);
	text = as_slice_skip(text, (size_t)head);
	while (as_slice_cut(&text, '\n', &line))
		uftrace_text_info_line(u, line);
	return AS_OK;
}

/* ---- task.txt ---- */

/* The text of KEY= in LINE, without quotes; "" if it is not there. */
static struct as_slice uftrace_text_value(struct as_slice line, const char *key)
{
	struct as_slice word, value = {"", 0};

	while (as_slice_word(&line, &word)) {
		struct as_slice rest = word, name;

		if (!as_slice_cut(&rest, '=', &name) || !rest.p || !as_slice_is(name, key))
			continue;
		if (!rest.len || rest.p[0] != '"')
			return rest;
		value.p = rest.p + 1; /* blanks may stand in it */
		rest.len = (size_t)(line.p + line.len - value.p);
		rest.p = value.p;
		value.len = as_slice_find(rest, '"');
		return value;
	}
	return value;
}

static bool uftrace_text_dec(struct as_slice line, const char *key, uint64_t *v)
{
	return as_slice_dec(uftrace_text_value(line, key), v);
}

static enum as_code uftrace_text_task_line(struct uftrace *u, struct as_slice line, bool *known)
{
	struct as_slice time = uftrace_text_value(line, "timestamp");
	struct uftrace_session s = {.sid = uftrace_text_value(line, "sid")};
	struct uftrace_dlopen d = {.sid = s.sid, .path = uftrace_text_value(line, "libname")};
	struct uftrace_task t;
	struct uftrace_fork f;
	bool ok = true;

	*known = uftrace_text_seconds(time, &s.time);
	if (*known && as_slice_starts(line, "SESS ") && uftrace_text_dec(line, "pid", &s.pid) &&
		s.sid.len)
		ok = as_vec_push(u->al, &u->session, s);
	else if (*known && as_slice_starts(line, "TASK ") &&
		 uftrace_text_dec(line, "tid", &t.tid) && uftrace_text_dec(line, "pid", &t.pid))
		ok = as_vec_push(u->al, &u->task, t);
	else if (*known && as_slice_starts(line, "FORK ") &&
		 uftrace_text_dec(line, "pid", &f.pid) && uftrace_text_dec(line, "ppid", &f.parent))
		ok = as_vec_push(u->al, &u->fork, f);
	else if (*known && as_slice_starts(line, "DLOP ") && d.path.len &&
		 as_slice_hex(uftrace_text_value(line, "base"), &d.base))
		ok = as_vec_push(u->al, &u->dlopen, d);
	else
		*known = false;
	return as_err_memory(u->rd->err, ok);
}

/* Line N of the file that is read is not what it should be. */
static enum as_code uftrace_text_odd(struct uftrace *u, uint64_t n, struct as_slice line)
{
	return as_rd_find(u->rd, AS_F_UF_LINE, u->b.off, 0, "line %" PRIu64 " of %s: '%.*s'", n,
		u->b.name, (int)(line.len < 80 ? line.len : 80), line.p);
}

enum as_code as_uftrace_tasks(struct uftrace *u, struct as_slice text)
{
	struct as_slice line;
	uint64_t n = 0;
	bool known;

	while (as_slice_cut(&text, '\n', &line)) {
		n++;
		if (!as_slice_trim(line).len)
			continue;
		AS_TRY(uftrace_text_task_line(u, line, &known));
		if (!known)
			AS_TRY(uftrace_text_odd(u, n, line));
	}
	return AS_OK;
}

/* ---- mappings ---- */

/* "7fb177720000-7fb177800000 r-xp 00000000 00:00 0   /usr/lib/libm.so.6 build-id:d6e6f9" */
static bool uftrace_text_map(struct as_slice line, struct uftrace_map *m)
{
	static const char mark[] = " build-id:";
	struct as_slice word, start, skip[2];
	size_t at;

	*m = (struct uftrace_map){0};
	if (!as_slice_word(&line, &word) || !as_slice_cut(&word, '-', &start) || !word.p ||
		!as_slice_hex(start, &m->start) || !as_slice_hex(word, &m->end) ||
		m->start >= m->end || !as_slice_word(&line, &word) ||
		!as_slice_word(&line, &word) || !as_slice_hex(word, &m->offset) ||
		!as_slice_word(&line, &skip[0]) || !as_slice_word(&line, &skip[1]))
		return false;
	m->path = as_slice_trim(line);
	at = as_slice_find_text(m->path, mark);
	if (at < m->path.len) {
		m->id = as_slice_trim(as_slice_skip(m->path, at + strlen(mark)));
		m->path = as_slice_trim((struct as_slice){m->path.p, at});
	}
	return true;
}

enum as_code as_uftrace_maps(struct uftrace *u, struct as_slice sid, struct as_slice text)
{
	struct uftrace_maps maps = {.sid = sid}, *to;
	struct uftrace_map map;
	struct as_slice line;
	uint64_t n = 0;

	AS_TRY(as_err_memory(u->rd->err, as_vec_push(u->al, &u->maps, maps)));
	to = &u->maps.p[u->maps.n - 1];
	while (as_slice_cut(&text, '\n', &line)) {
		n++;
		if (!as_slice_trim(line).len)
			continue;
		if (!uftrace_text_map(line, &map))
			AS_TRY(uftrace_text_odd(u, n, line));
		else if (!as_vec_push(u->al, &to->map, map))
			return as_err_no_memory(u->rd->err);
	}
	return AS_OK;
}

/* ---- symbols ---- */

/* "0000000000001000 T _init", and with sizes "0000000000001000 00000017 T _init". What is data
 * only ends the function before it. */
static bool uftrace_text_sym(struct as_slice line, struct uftrace_sym *sym)
{
	struct as_slice word, type;

	*sym = (struct uftrace_sym){0};
	if (!as_slice_word(&line, &word) || !as_slice_hex(word, &sym->addr) ||
		!as_slice_word(&line, &type))
		return false;
	if (type.len != 1 && (!as_slice_is_hex(type) || !as_slice_word(&line, &type)))
		return false;
	if (type.len != 1)
		return false;
	if (memchr("TtWwPuiK", type.p[0], 8))
		sym->name = as_slice_trim(line);
	return true;
}

static int uftrace_text_cmp_sym(const void *ctx, uint32_t a, uint32_t b)
{
	const struct uftrace_sym *sym = ctx;

	return as_cmp_u64(sym[a].addr, sym[b].addr);
}

enum as_code as_uftrace_syms(struct uftrace *u, struct as_slice file, struct as_slice text)
{
	static const char path[] = "# path name:";
	struct uftrace_syms syms = {.file = file}, *to;
	struct uftrace_sym sym;
	struct as_slice line;
	uint64_t n = 0;

	AS_TRY(as_err_memory(u->rd->err, as_vec_push(u->al, &u->syms, syms)));
	to = &u->syms.p[u->syms.n - 1];
	while (as_slice_cut(&text, '\n', &line)) {
		n++;
		if (as_slice_starts(line, path))
			to->path = as_slice_trim(as_slice_skip(line, strlen(path)));
		if (!as_slice_trim(line).len || line.p[0] == '#')
			continue;
		if (!uftrace_text_sym(line, &sym))
			AS_TRY(uftrace_text_odd(u, n, line));
		else if (!as_vec_push(u->al, &to->sym, sym))
			return as_err_no_memory(u->rd->err);
	}
	return as_err_memory(u->rd->err,
		as_sort_array(u->al, to->sym.p, to->sym.n, uftrace_text_cmp_sym, to->sym.p));
}
