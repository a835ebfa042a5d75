/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What string.h declares, for this library alone: a program's own, or a sanitizer's, would be
 * called in its place, in a signal handler and while our lock is held.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	void *at = to;

	__asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(n) : : "memory");
	return to;
}

void *memset(void *to, int byte, size_t n)
{
	void *at = to;

	__asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(byte) : "memory");
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;

	if ((uintptr_t)to - (uintptr_t)from >= n)
		return memcpy(to, from, n);
	while (n--)
		t[n] = f[n];
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;

	for (; n; n--, p++, q++)
		if (*p != *q)
			return *p - *q;
	return 0;
}

void *memchr(const void *in, int byte, size_t n)
{
	const unsigned char *p = in;

	for (; n; n--, p++)
		if (*p == (unsigned char)byte)
			return (void *)(uintptr_t)p;
	return NULL;
}

void *memmem(const void *in, size_t n, const void *what, size_t n_what)
{
	const char *p = in;

	for (; n >= n_what; n--, p++)
		if (memcmp(p, what, n_what) == 0)
			return (void *)(uintptr_t)p;
	return NULL;
}

size_t strnlen(const char *text, size_t most)
{
	size_t n = 0;

	while (n < most && text[n])
		n++;
	return n;
}

size_t strlen(const char *text)
{
	return strnlen(text, SIZE_MAX);
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

char *strchr(const char *text, int c)
{
	return memchr(text, c, strlen(text) + 1);
}

char *strrchr(const char *text, int c)
{
	char *found = NULL;

	for (char *p = (char *)(uintptr_t)text; (p = strchr(p, c)); p++) {
		found = p;
		if (!c)
			break;
	}
	return found;
}
