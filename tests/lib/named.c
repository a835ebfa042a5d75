/* SPDX-License-Identifier: Apache-2.0 */
/* The program whose functions command-line tests look for. */
static inline __attribute__((always_inline)) unsigned mix(unsigned h, unsigned v)
{
	h ^= v;
	h *= 0x9e3779b1u;
	return h ^ h >> 15;
}

__attribute__((noinline)) unsigned hash(const unsigned *p, int n)
{
	unsigned h = 0;

	for (int i = 0; i < n; i++)
		h = mix(h, p[i]);
	return h;
}

__attribute__((noinline)) unsigned sum(const unsigned *p, int n)
{
	unsigned s = 0;

	for (int i = 0; i < n; i++)
		s += p[i];
	return s;
}

#ifdef LONGER
/* Some pages more of code: another program at the same path. */
__attribute__((noinline, used)) void filler(void)
{
	__asm__ volatile(".skip 20000, 0x90");
}
#endif

int main(int argc, char **argv)
{
	static unsigned data[16];

	(void)argv;
	return (int)(hash(data, argc) + sum(data, argc)) & 1;
}
