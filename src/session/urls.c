/* SPDX-License-Identifier: Apache-2.0 */
#include "session/urls.h"

#include <strings.h>

#include "io/url.h"
#include "session/input.h"

enum { STEP = 256 << 10 };

void as_urls_init(struct as_urls *urls, const struct as_alloc *al)
{
	*urls = (struct as_urls){.al = al};
	as_arena_init(&urls->arena, al);
}

void as_urls_release(struct as_urls *urls)
{
	for (size_t i = 0; i < urls->row.n; i++)
		as_vec_free(urls->al, &urls->row.p[i].body);
	as_vec_free(urls->al, &urls->row);
	as_vec_free(urls->al, &urls->header);
	as_arena_release(&urls->arena);
}

/* A byte that would end a header, or begin another one. */
static bool urls_has_control(struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (((unsigned char)s.p[i] < 0x20 && s.p[i] != '\t') || s.p[i] == 0x7f)
			return true;
	return false;
}

/* "https://host:6060 NAME: VALUE" */
static bool urls_header(struct as_urls *urls, struct as_slice line, struct as_url_header *out)
{
	struct as_slice word, name = line;
	size_t colon;

	if (!as_slice_word(&name, &word))
		return false;
	name = as_slice_trim(name);
	colon = as_slice_find(name, ':');
	if (!colon || colon == name.len || urls_has_control(line) ||
		as_slice_has((struct as_slice){name.p, colon}, ' '))
		return false;
	out->server = as_arena_dup(&urls->arena, word);
	out->text = as_arena_dup(&urls->arena, name).p;
	if (!out->server.p || !as_url_is(out->server.p))
		return false;
	out->server = as_url_shown(&urls->arena, out->server.p);
	if (!out->server.p || !as_slice_eq(as_url_server(out->server), word))
		return false;
	return out->text != NULL;
}

uint64_t as_urls_headers(struct as_urls *urls, struct as_slice text)
{
	struct as_slice line;

	for (uint64_t n = 1; as_slice_cut(&text, '\n', &line); n++) {
		struct as_url_header one;

		line = as_slice_trim(as_slice_chop(line));
		if (!line.len || line.p[0] == '#')
			continue;
		if (!urls_header(urls, line, &one))
			return urls->arena.failed ? UINT64_MAX : n;
		one.server = as_url_server(one.server);
		if (!as_vec_push(urls->al, &urls->header, one))
			return UINT64_MAX;
	}
	return 0;
}

/* What is sent with GET. */
static bool urls_find_headers(struct as_urls *urls, struct as_http *get)
{
	const char **list;

	if (!as_arena_array(&urls->arena, &list, urls->header.n))
		return false;
	for (size_t i = 0; i < urls->header.n; i++)
		if (as_slice_eq(urls->header.p[i].server, get->server))
			list[get->n_headers++] = urls->header.p[i].text;
	get->header = list;
	return true;
}

const char *as_urls_add(struct as_urls *urls, const char *url)
{
	struct as_slice shown = as_url_shown(&urls->arena, url);
	uint64_t measures_ms = 1000;
	struct as_http get = {.url = url, .name = shown.p, .server = as_url_server(shown)};

	if (!shown.p)
		return NULL;
	if (__builtin_mul_overflow(as_url_seconds(url), measures_ms, &get.max_ms) ||
		__builtin_add_overflow(get.max_ms, urls->max_ms, &get.max_ms))
		get.max_ms = UINT64_MAX;
	as_err_clear(&get.err);
	if (!urls_find_headers(urls, &get))
		return NULL;
	return as_vec_push(urls->al, &urls->row, get) ? shown.p : NULL;
}

static struct as_http *urls_find(const struct as_session *ses, const char *path)
{
	for (size_t i = 0; ses->urls && i < ses->urls->row.n; i++)
		if (ses->urls->row.p[i].name == path)
			return &ses->urls->row.p[i];
	return NULL;
}

bool as_urls_has(const struct as_session *ses, const char *path)
{
	return urls_find(ses, path) != NULL;
}

/* ---- what was downloaded, as a source ---- */

static struct as_slice body_of(const struct as_http *get)
{
	return (struct as_slice){get->body.p, get->body.n};
}

struct body_src {
	struct as_src_mem mem;
	const struct as_alloc *al;
};

static void body_close(struct as_src *src)
{
	struct body_src *b = (struct body_src *)(void *)src;

	as_alloc_free(b->al, b, sizeof(*b));
}

static enum as_code body_open(const struct as_alloc *al, const struct as_http *get,
	struct as_src **out, struct as_err *err)
{
	struct body_src *b = as_alloc_new(al, sizeof(*b));

	AS_TRY(as_err_memory(err, b));
	b->al = al;
	as_src_mem_init(&b->mem, body_of(get), get->name);
	b->mem.src.close = body_close;
	b->mem.src.again = true;
	b->mem.src.whole = b->mem.data;
	*out = &b->mem.src;
	return AS_OK;
}

/* ---- how it was sent ---- */

/* All of FROM becomes the body, if it is no more than there may be. */
static enum as_code take_decoded(
	const struct as_urls *urls, struct as_src *from, struct as_http *get)
{
	AS_VEC(char) text = {0};
	ptrdiff_t n = 1;

	while (n > 0 && text.n <= urls->opts.max_bytes) {
		if (!as_vec_reserve(urls->al, &text, text.n + STEP + AS_IN_SLACK)) {
			as_vec_free(urls->al, &text);
			return as_err_no_memory(&get->err);
		}
		n = from->read(from, text.p + text.n, STEP);
		text.n += n > 0 ? (size_t)n : 0;
	}
	memset(text.p + text.n, 0, AS_IN_SLACK);
	as_vec_free(urls->al, &get->body);
	as_vec_move(&get->body, &text);
	if (n < 0)
		return as_err_set(&get->err, AS_E_IO, "what came is damaged: %s",
			from->fault ? from->fault : strerror((int)-n));
	if (get->body.n <= urls->opts.max_bytes)
		return AS_OK;
	get->way = "to take more: --max-download SIZE";
	return as_err_set(&get->err, AS_E_LIMIT, "more than %" PRIu64 " bytes, once unpacked",
		urls->opts.max_bytes);
}

/* Content-Encoding is how a server sent what it has, and no part of it: a .pb.gz may come in gzip
 * twice. */
static enum as_code undo_encoding(const struct as_urls *urls, struct as_http *get)
{
	static const char *const known[] = {"gzip", "x-gzip", "zstd"};
	struct as_src *body, *src;
	bool is_known = false;
	enum as_code rc;

	if (!get->encoding[0] || strcasecmp(get->encoding, "identity") == 0)
		return AS_OK;
	for (size_t i = 0; i < AS_ARRAY_LEN(known); i++)
		is_known |= strcasecmp(get->encoding, known[i]) == 0;
	if (!is_known)
		return as_err_set(&get->err, AS_E_UNSUPPORTED,
			"it is sent in the encoding '%s', which was not asked for", get->encoding);
	AS_TRY(body_open(urls->al, get, &body, &get->err));
	AS_TRY(as_file_unpack(urls->al, body, body_of(get), &src, &get->err));
	rc = src == body ? AS_OK : take_decoded(urls, src, get);
	as_file_close(src);
	return rc;
}

void as_urls_get(const struct as_session *ses)
{
	const struct as_around *around = ses->around;
	struct as_urls *urls = ses->urls;
	struct as_http_opts opts;
	size_t n = urls ? urls->row.n - urls->n_got : 0;

	if (!n)
		return;
	opts = urls->opts;
	opts.progress =
		around && around->progress_begin ? around->progress_begin(around->ctx) : NULL;
	as_http_get(ses->al, &opts, urls->row.p + urls->n_got, n);
	for (; urls->n_got < urls->row.n; urls->n_got++)
		if (urls->row.p[urls->n_got].rc == AS_OK)
			urls->row.p[urls->n_got].rc =
				undo_encoding(urls, &urls->row.p[urls->n_got]);
	if (around && around->progress_end)
		around->progress_end(around->ctx);
}

enum as_code as_urls_open(const struct as_session *ses, const char *path, struct as_progress *pr,
	struct as_src **out, const char **way, struct as_err *err)
{
	const struct as_http *get = urls_find(ses, path);
	struct as_src *body;

	*way = NULL;
	if (!get)
		return as_input_open(ses->al, path, pr, out, err);
	as_urls_get(ses);
	if (get->rc != AS_OK) {
		*way = get->way;
		*err = get->err;
		return get->rc;
	}
	as_escape(err->name, sizeof(err->name), path, strlen(path));
	AS_TRY(body_open(ses->al, get, &body, err));
	return as_file_unpack(ses->al, body, body_of(get), out, err);
}
