# A function that its library calls by a name of its own (glibc's __GI_malloc) has the name that
# programs call it by, where there is one.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
cat >program.c <<'END'
int inner(int) __asm__("__GI_inner");
int other(int) __asm__("__GI_other");
__attribute__((visibility("hidden"), noinline)) int inner(int n) { return n * 3; }
__attribute__((visibility("hidden"), noinline)) int other(int n) { return n * 5; }
extern __typeof(inner) known __attribute__((alias("__GI_inner")));
extern __typeof(inner) _IO_known __attribute__((alias("__GI_inner")));
int main(int n, char **v) { (void)v; return inner(n) + other(n); }
END
cc -g -O1 -o program program.c
python3 "$(dirname "$FIXTURES")/lib/make_prof.py" program p.prof __GI_inner __GI_other
assay top p.prof --symbols auto -n0 -f csv | tail -n +2 | cut -d, -f1 | sed 's/^\[.*//' | sort -u
