# A binary that is not where the profile has it is taken from where perf has kept a copy.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
export HOME="$PWD/home"
id=$(readelf -n "$FIXTURES/dcpi/wave" | sed -n 's/.*Build ID: //p')
cat > x.heap << END
heap profile: 1: 8 [1: 8] @ heapprofile
1: 8 [1: 8] @ 0x400371
MAPPED_LIBRARIES:
400000-401000: /gone/wave (@0) $id
END
top() { assay top x.heap --symbols auto --no-symbol-cache -q; }
top
to=$HOME/.debug/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)
mkdir -p "$to"
cp "$FIXTURES/dcpi/wave" "$to/elf"
top
cp "$FIXTURES/dcpi/libfft.so" "$to/elf"
top
rm "$to/elf"
mkfifo "$to/elf"
top
