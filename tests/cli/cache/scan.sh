# Binaries by their build ids: one that has moved is found where it was seen.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
export XDG_CACHE_HOME="$PWD/cache"
cp -r "$FIXTURES/dcpi" .
mkdir -p away/deep/er
mv dcpi/wave away/deep/er/renamed
mv dcpi/libfft.so away/libfft.so
top() { assay top dcpi/200212042334/*.cycles --symbols auto -n0 -f csv -q "$@" | cut -d, -f1 | sort | tr '\n' ' '; echo; }
top --no-symbol-cache | tr ' ' '\n' | grep -c '+0x'
objcopy --only-keep-debug away/libfft.so away/libfft.debug
objcopy --remove-section .note.gnu.build-id away/libfft.so away/nobody
cp away/libfft.so away/copy
cut -b1-100 away/libfft.so >away/torn
ln -s .. away/deep/loop
ln -s deep away/link
mkfifo away/deep/fifo
echo == scan
assay cache scan away/deep away
assay cache scan away -f csv | sed "s,$PWD,HERE,; s/^[0-9a-f]\{40\}/ID/"
assay cache scan away/libfft.so away/link -f json | sed "s,$PWD,HERE,; s/\"[0-9a-f]\{40\}\"/\"ID\"/"
readelf -n away/deep/er/renamed | sed -n 's/.*Build ID: //p' >want
grep -c "^$(cat want) $PWD/away/deep/er/renamed$" cache/assay/images.map
echo == found
top
assay asm smooth dcpi/200212042334/wave.cycles --symbols auto -q | sed -n '1p' | sed "s,$PWD,HERE,"
top --no-symbol-cache | tr ' ' '\n' | grep -c '+0x'
echo == another build at the old path, and the images gone
cp away/libfft.so dcpi/wave
top
rm dcpi/wave away/copy away/libfft.so
top | tr ' ' '\n' | grep -c '+0x'
assay cache scan away -q
assay cache --trim 1 | tail -3
assay cache --clear | tail -3
top | tr ' ' '\n' | grep -c '+0x'
