# What a debug file said is not believed any more when it is gone or damaged, though it is in the cache.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -Wl,--build-id -o prog "$lib/named.c"
python3 "$lib/make_prof.py" prog p.prof hash sum
objcopy --only-keep-debug prog prog.debug
strip --strip-all prog
objcopy --add-gnu-debuglink=prog.debug prog
mkdir cache
export XDG_CACHE_HOME="$PWD/cache"
named() { assay top p.prof --symbols auto -n0 -f csv -q | grep -c '^\(hash\|sum\),'; }
echo "debug file:" "$(named)"
echo "cached:" "$(named)" "$(find cache -type f | wc -l)"
mv prog.debug away
echo "gone:" "$(named)"
head -c 3000 away > prog.debug
echo "cut off:" "$(named)"
mv away prog.debug
echo "back:" "$(named)"
