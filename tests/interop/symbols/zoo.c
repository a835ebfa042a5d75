/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the comparison of names that is C: static and inlined functions, a function in a
 * function, clones, unlikely parts, assembly. Compiled, not run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int zoo_c_entry(int n);
double zoo_c_twin(const double *v, unsigned n);
int zoo_asm_sized(int n);
int zoo_asm_bare(int n);

#if defined(__x86_64__)
__asm__(".text\n.type zoo_asm_sized,@function\n.globl zoo_asm_sized\nzoo_asm_sized:\n"
	"lea 1(%rdi),%eax\nret\n.size zoo_asm_sized,.-zoo_asm_sized\n"
	".type zoo_asm_bare,@function\n.globl zoo_asm_bare\nzoo_asm_bare:\n"
	"lea 2(%rdi),%eax\nnop\nnop\nret\n");
#else
int zoo_asm_sized(int n)
{
	return n + 1;
}
int zoo_asm_bare(int n)
{
	return n + 2;
}
#endif

struct item {
	struct item *next;
	int key;
	char text[24];
};

static inline unsigned hash(const char *s)
{
	unsigned h = 5381;

	while (*s)
		h = h * 33 + (unsigned char)*s++;
	return h;
}

static inline int rank_of(const struct item *item)
{
	return (int)(hash(item->text) % 97) + item->key;
}

static struct item *find(struct item *list, int rank)
{
	for (; list; list = list->next)
		if (rank_of(list) == rank)
			return list;
	return NULL;
}

static int by_rank(const void *a, const void *b)
{
	return rank_of(a) - rank_of(b);
}

__attribute__((noinline)) static int fill(struct item *item, int n, const char *what)
{
	for (int i = 0; i < n; i++) {
		item[i].key = i * 7 % 13;
		item[i].next = i ? &item[i - 1] : NULL;
		snprintf(item[i].text, sizeof(item[i].text), "%s %d", what, i);
		if (__builtin_expect(item[i].text[0] == 0, 0)) {
			fprintf(stderr, "nothing written to item %d\n", i);
			abort();
		}
	}
	return n;
}

#if !defined(__clang__)
__attribute__((noinline)) static int nested(int n)
{
	int sum = 0;
	__attribute__((noinline)) void add(int k)
	{
		sum += k * n;
		if (k > 1)
			add(k - 1);
	}

	add(n);
	return sum;
}
#else
static int nested(int n)
{
	return n;
}
#endif

double zoo_c_twin(const double *v, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += v[i] * v[i];
	return sum;
}

int zoo_c_entry(int n)
{
	struct item *item = calloc((size_t)n + 1, sizeof(*item));
	const struct item *found;
	int out;

	if (!item)
		return -1;
	fill(item, n, "a");
	fill(item, n, "b");
	qsort(item, (size_t)n, sizeof(*item), by_rank);
	found = find(item, n * 3);
	out = (found ? found->key : 0) + nested(n) + zoo_asm_sized(n) + zoo_asm_bare(n);
	free(item);
	return out;
}
