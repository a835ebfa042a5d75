# A function has one file, whether what is inlined into it is shown or not: a lambda has no declaration.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
mkdir inc
cat >inc/mix.h <<'END'
static inline unsigned mix(unsigned x)
{
	x ^= x >> 13;
	x *= 0x9e3779b1u;
	return x ^ x >> 16;
}
END
cat >main.cc <<'END'
#include "inc/mix.h"
static unsigned sum;
int main(int argc, char **)
{
	auto add = [](unsigned k) __attribute__((noinline)) { sum += mix(k); };
	for (int i = 0; i < argc; i++)
		add(unsigned(i));
	return int(sum & 1);
}
END
c++ -O2 -g -no-pie -o program main.cc
lambda=$(nm program | sed -n 's/.* [tT] \(_ZZ4main.*clEj.*\)$/\1/p' | head -n 1)
python3 "$(dirname "$FIXTURES")/lib/make_prof.py" program p.prof "$lambda"
for inline in on off; do
	echo "inline $inline:"
	assay top p.prof -q --symbols auto --inline $inline --object program --no-symbol-cache -n 0 -f json |
		grep -o '"function": *"[^"]*operator[^"]*", *"file": *"[^"]*"' | sed 's/"[^"]*[/]/"/' | sort -u
done
