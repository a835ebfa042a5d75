/* SPDX-License-Identifier: Apache-2.0 */
#include "io/url.h"

#include <strings.h>

static size_t url_scheme(const char *text)
{
	if (strncasecmp(text, "http://", 7) == 0)
		return 7;
	return strncasecmp(text, "https://", 8) == 0 ? 8 : 0;
}

bool as_url_is(const char *text)
{
	return url_scheme(text) != 0;
}

struct parts {
	struct as_slice scheme; /* with "://" */
	struct as_slice host;   /* and its port */
	struct as_slice path, query;
};

/* A password may have an '@' in it that should have been written as %40. */
static struct parts url_parts(const char *url)
{
	struct as_slice rest = as_slice_of(url);
	struct parts p = {.scheme = {url, url_scheme(url)}};
	size_t at;

	rest = as_slice_skip(rest, p.scheme.len);
	rest.len = as_slice_find(rest, '#');
	p.host = (struct as_slice){rest.p, strcspn(rest.p, "/?#\\")};
	p.path = as_slice_skip(rest, p.host.len);
	at = as_slice_up_to_last(p.host, '@');
	p.host = as_slice_skip(p.host, at);
	p.query = p.path;
	p.path.len = as_slice_find(p.path, '?');
	p.query = as_slice_skip(p.query, p.path.len);
	if (p.query.len)
		p.query = as_slice_skip(p.query, 1);
	return p;
}

/* ---- what may be shown ---- */

struct shown {
	char *to;
	size_t n;
};

static void shown_put(struct shown *s, struct as_slice text)
{
	memcpy(s->to + s->n, text.p, text.len);
	s->n += text.len;
}

static bool is_harmless(struct as_slice key, struct as_slice value)
{
	static const char *const keys[] = {"seconds", "debug", "gc"};
	uint64_t number;

	return as_slice_is_one_of(key, keys) && as_slice_dec(value, &number);
}

static void shown_parameter(struct shown *s, struct as_slice part)
{
	struct as_slice key = {part.p, as_slice_find(part, '=')}, value;

	if (key.len == part.len) { /* a token may stand alone */
		shown_put(s, as_slice_of(part.len ? "*" : ""));
		return;
	}
	value = as_slice_skip(part, key.len + 1);
	shown_put(s, key);
	shown_put(s, as_slice_of("="));
	shown_put(s, is_harmless(key, value) || !value.len ? value : as_slice_of("*"));
}

/* Where this is no port, a password with a '/' in it may stand there. */
static bool has_wrong_port(struct as_slice host)
{
	struct as_slice port = as_slice_skip(host, as_slice_up_to_last(host, ']'));
	size_t at = as_slice_find(port, ':');
	uint64_t number;

	return at < port.len && !as_slice_dec(as_slice_skip(port, at + 1), &number);
}

struct as_slice as_url_shown(struct as_arena *arena, const char *url)
{
	struct parts p = url_parts(url);
	struct shown s = {.to = as_arena_new(arena, strlen(url) + 2)};
	struct as_slice part;
	char sep = '?';

	if (!s.to)
		return (struct as_slice){0};
	shown_put(&s, p.scheme);
	if (has_wrong_port(p.host)) {
		shown_put(&s, as_slice_of("*"));
		return (struct as_slice){s.to, s.n};
	}
	shown_put(&s, p.host);
	shown_put(&s, p.path);
	while (p.query.len && as_slice_cut(&p.query, '&', &part)) {
		s.to[s.n++] = sep;
		sep = '&';
		shown_parameter(&s, part);
	}
	return (struct as_slice){s.to, s.n};
}

struct as_slice as_url_server(struct as_slice shown)
{
	struct as_slice rest = as_slice_skip(shown, url_scheme(shown.p));

	return (struct as_slice){shown.p, (size_t)(rest.p - shown.p) + strcspn(rest.p, "/?#\\")};
}

uint64_t as_url_seconds(const char *url)
{
	struct parts p = url_parts(url);
	struct as_slice part;
	uint64_t seconds = 0;

	while (p.query.len && as_slice_cut(&p.query, '&', &part))
		if (as_slice_starts(part, "seconds=") &&
			as_slice_dec(as_slice_skip(part, strlen("seconds=")), &seconds))
			return seconds;
	return 0;
}
