/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/maps.h"

#include <string.h>

#include "preload/raw.h"

struct cursor {
	const char *p, *end;
};

static uint64_t maps_take_number(struct cursor *c, unsigned base)
{
	uint64_t v = 0;

	for (; c->p < c->end; c->p++) {
		unsigned digit = (unsigned)(*c->p - '0');

		if (digit > 9)
			digit = (unsigned)(*c->p - 'a') + 10;
		if (digit >= base)
			break;
		v = v * base + digit;
	}
	return v;
}

static bool maps_take(struct cursor *c, char ch)
{
	if (c->p == c->end || *c->p != ch)
		return false;
	c->p++;
	return true;
}

/* "start-end perms offset major:minor inode   path" */
static bool maps_parse(const char *line, size_t n, struct as_map *m)
{
	struct cursor c = {line, line + n};

	m->start = maps_take_number(&c, 16);
	if (!maps_take(&c, '-'))
		return false;
	m->end = maps_take_number(&c, 16);
	if (!maps_take(&c, ' ') || c.end - c.p < 5)
		return false;
	m->read = c.p[0] == 'r';
	m->exec = c.p[2] == 'x';
	c.p += 5;
	m->offset = maps_take_number(&c, 16);
	if (!maps_take(&c, ' '))
		return false;
	m->dev = (uint32_t)maps_take_number(&c, 16) << 16;
	if (!maps_take(&c, ':'))
		return false;
	m->dev |= (uint32_t)maps_take_number(&c, 16);
	if (!maps_take(&c, ' '))
		return false;
	m->inode = maps_take_number(&c, 10);
	while (maps_take(&c, ' '))
		;
	m->path = c.p;
	m->n_path = (size_t)(c.end - c.p);
	return m->start < m->end;
}

/* Complete lines of the N bytes; how many of them are taken. */
static size_t parse_lines(const char *buf, size_t n, as_maps_fn *each, void *ctx)
{
	size_t at = 0;

	for (;;) {
		const char *end = memchr(buf + at, '\n', n - at);
		struct as_map m;

		if (!end)
			return at;
		if (maps_parse(buf + at, (size_t)(end - buf) - at, &m))
			each(ctx, &m);
		at = (size_t)(end - buf) + 1;
	}
}

bool as_maps_each(char *buf, as_maps_fn *each, void *ctx)
{
	int fd = as_raw_open("/proc/self/maps", O_RDONLY, 0);
	size_t n = 0;
	long got;

	if (fd < 0)
		return false;
	while ((got = as_raw_read(fd, buf + n, AS_MAPS_BUFFER - n)) > 0) {
		size_t done = parse_lines(buf, n + (size_t)got, each, ctx);

		n += (size_t)got - done;
		memmove(buf, buf + done, n);
		if (n == AS_MAPS_BUFFER) /* no path is that long */
			break;
	}
	as_raw_close(fd);
	return got == 0;
}
