# Stripped and not, a program has one build id: what is known of the one is not believed of the other.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -Wl,--build-id -o whole "$lib/named.c"
mkdir stripped
strip -o stripped/whole whole
python3 "$lib/make_prof.py" whole p.prof hash sum
mkdir cache
export XDG_CACHE_HOME="$PWD/cache"
named() { assay top p.prof --symbols auto --binary "$1" -n0 -f csv -q | grep -c '^\(hash\|sum\),'; }
mv whole away
echo "stripped:" "$(named stripped/whole)"
mv away whole
echo "not stripped:" "$(named whole)"
echo "== a binary of another name"
assay top p.prof --symbols auto --binary elsewhere/other -n0 -f csv 2>&1 >/dev/null
