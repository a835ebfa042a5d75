# Separate debug files that are damaged, or another program's, are told; the program's own symbols
# are used then.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
make_program() {
	cc -g -O1 "$@" -o program "$lib/named.c"
	python3 "$lib/make_prof.py" program p.prof hash sum
	objcopy --only-keep-debug program program.debug
	strip -g program
	objcopy --add-gnu-debuglink=program.debug program
	touch -d 2001-01-01 program
	cp program.debug good
}
show() {
	echo "== $1"
	shift
	assay top p.prof --symbols auto --no-symbol-cache -n0 -f csv "$@" 2>err |
		tail -n +2 | cut -d, -f1 | sort -u | paste -sd' '
	sed -e "s,$PWD/,,g" -e "s/$crc/CRC/" -e "s/$is/IS/" -e "s/$expected/EXPECTED/" err
}
build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
crc=none is=none expected=none

make_program -Wl,--build-id=none
show good
expected=$(python3 -c 'import zlib; print("%08x" % zlib.crc32(open("good", "rb").read()))')
echo >>program.debug
crc=$(python3 -c 'import zlib; print("%08x" % zlib.crc32(open("program.debug", "rb").read()))')
show "other CRC"
rm program.debug
show "not there"
mkdir empty
show "--debug-dir" --debug-dir empty
show "--debug-dir" --debug-dir nowhere
show "--debug-dir" --debug-dir p.prof

make_program -Wl,--build-id
show good
expected=$(build_id program)
cc -g -O1 -DLONGER -Wl,--build-id -o program.debug "$lib/named.c"
is=$(build_id program.debug)
show "other build id"
tree=d/.build-id/$(echo "$expected" | cut -c1-2)
mkdir -p "$tree"
mv program.debug "$tree/$(echo "$expected" | cut -c3-).debug"
show "by build id" --debug-dir d | sed 's,/[0-9a-f]*/[0-9a-f]*\.debug,/...,'
cp good "$tree/$(echo "$expected" | cut -c3-).debug"
show "good by build id" --debug-dir d
for size in 20 64 3000; do
	head -c "$size" good >program.debug
	show "$size bytes"
done
rm program.debug
ln -s program.debug program.debug
show "cannot be opened"
cp good good.copy
rm program.debug
objcopy --dump-section .debug_info=info good.copy
head -c 200 /dev/zero | tr '\0' '\377' >bad
tail -c +201 info >>bad
objcopy --update-section .debug_info=bad good program.debug
show "garbled"
