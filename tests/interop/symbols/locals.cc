// SPDX-License-Identifier: Apache-2.0
// Members of local classes and lambdas that are functions of their own: gcc puts their code below a type in a function.
#include <cstdio>

static inline long hot(long n) { long s = 0; for (long i = 0; i < n; i++) s = s * 3 ^ i; return s; }

template<class F> __attribute__((noinline)) static long call(F f, long n) { return f(n) + f(n + 1); }

int main(int argc, char **)
{
	struct Loc {
		__attribute__((noinline)) static long plain(long n) { return hot(n) + 1; }
		__attribute__((noinline)) long member(long n) const { return hot(n + k) + 2; }
		long k;
	};
	const Loc loc = {argc};
	auto lambda = [&](long n) __attribute__((noinline)) { return hot(n) + argc; };
	auto generic = [argc](auto n) __attribute__((noinline)) { return hot(n) - argc; };

	printf("%ld\n", Loc::plain(argc) + loc.member(argc) + call(lambda, argc) + call(generic, argc));
	return 0;
}
