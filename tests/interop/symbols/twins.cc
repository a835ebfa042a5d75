// SPDX-License-Identifier: Apache-2.0
// Functions of one name that the compiler inlines everywhere, and so gives no linkage name. Each stands on a line of its
// own: the line of an address tells which of them it is.
#include <cstdio>
#include <vector>

template<class F> static int twice(F f, int n) { int s = 0; for (int i = 0; i < n; i++) s += f(i) ^ s * 3; return s; }
static inline int g(int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 7 ^ i; return s; }
static inline int g(long n) { int s = 0; for (long i = 0; i < n; i++) s = s * 9 ^ static_cast<int>(i); return s; }
static inline int g(const char *p) { int s = 0; while (*p) s = s * 11 ^ *p++; return s; }
static inline int g(const std::vector<int> &v) { int s = 0; for (int x : v) s = s * 13 ^ x; return s; }
static inline int g(int (*f)(const char *), const char *p) { int s = 0; while (*p) s = s * 15 ^ f(p++); return s; }
typedef struct { int x[4]; } four;
static inline int g(const four *f, int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 31 ^ f->x[i & 3]; return s; }
namespace {
struct P {
	int w(int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 17 ^ i; return s; }
	int w(int n) const { int s = 0; for (int i = 0; i < n; i++) s = s * 19 ^ i; return s; }
};
}

int main(int argc, char **argv)
{
	struct L {
		int z(int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 21 ^ i; return s; }
	} l;
	struct M {
		int z(int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 23 ^ i; return s; }
	} m;
	const P q{};
	P p;
	four f = {{argc, 2, 3, 4}};
	std::vector<int> v(static_cast<size_t>(argc));
	auto a = [argc](int i) {
		int s = i; for (int k = 0; k < argc; k++) s = s * 25 ^ k; return s;
	};
	auto b = [argc](int i) {
		int s = i; for (int k = 0; k < argc; k++) s = s * 27 ^ k; return s;
	};
	int n = argc * 100;

	printf("%d\n", g(n) + g(static_cast<long>(n)) + g(argv[0]) + g(v) + g(puts, argv[0]) + g(&f, n) + p.w(n) + q.w(n) +
			       l.z(n) + m.z(n) + twice(a, n) + twice(b, n));
	return 0;
}
