/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled for its debug information: see elf_seeds.sh. */
struct point {
	int x, y;
};

int seed_outer(struct point *p, int n);
int seed_elsewhere(int n); /* another object's: called through a stub */

static inline int square(int x)
{
	return x * x;
}

static inline int norm(const struct point *p)
{
	return square(p->x) + square(p->y);
}

__attribute__((noinline)) static int sum(const struct point *p, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++) {
		if (norm(&p[i]) > 100)
			s += norm(&p[i]);
		else
			s -= p[i].x;
	}
	return s;
}

int seed_outer(struct point *p, int n)
{
	p[0].x = n;
	return sum(p, n) + square(seed_elsewhere(n));
}
