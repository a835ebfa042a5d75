# Names of C++ out of the cache are those of the object: all of them, and with new ones beside them.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
cat > main.cc <<'EOF'
namespace shape {
template <typename T> struct Box {
	T side;
	[[gnu::noinline]] T area(T by) const { return side * by; }
};
[[gnu::noinline]] long sum(const Box<int> &a, const Box<long> &b) { return a.area(3) + b.area(4); }
} // namespace shape
int main(int n, char **) { return (int)shape::sum({n}, {n}); }
EOF
c++ -g -O1 -Wl,--build-id -o prog main.cc
make_prof() { python3 "$(dirname "$FIXTURES")/lib/make_prof.py" prog "$@"; }
make_prof one.prof _ZN5shape3sumERKNS_3BoxIiEERKNS0_IlEE
make_prof all.prof _ZN5shape3sumERKNS_3BoxIiEERKNS0_IlEE _ZNK5shape3BoxIiE4areaEi main
mkdir cache
export XDG_CACHE_HOME="$PWD/cache"
names() { assay top "$@" --symbols auto --names full -n0 -f csv -q | sort; }
names all.prof --no-symbol-cache > fresh
names one.prof > one
names all.prof > more
names all.prof > cached
cmp fresh more
cmp fresh cached
grep shape cached | cut -d, -f1-2
find cache -type f | wc -l
