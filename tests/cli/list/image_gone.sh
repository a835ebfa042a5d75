# Code of an image that is not there is shown as that of one which is there and has no names; but for what is said of it.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
printf '%s\n' 'name prog' 'image 1f' "path $PWD/prog" 'epoch 199612042334' 'platform box' 'text_start 0x0' \
	'text_size 0x900000' 'event 100 cycles:100:10000' 'event 7 imiss:50:10000' >x.dcpicat
printf '0x000000801%s\n' '010 30 1' '014 0 4' '020 70 2' >>x.dcpicat
all() {
	for ask in list 'list --asm' 'list -f json' 'list -f csv' 'list --focus 0x801010' 'asm -f csv'; do
		# shellcheck disable=SC2086 # words
		assay $ask '[prog+0x801010]' x.dcpicat --symbols auto "$@" -q || echo "status $?"
	done
}
all >gone
cat gone
cc -nostdlib -fno-asynchronous-unwind-tables -Wl,-e,0 -Wl,--build-id=none -x c -o prog - <<'C'
int nothing;
C
strip prog
all --force >there
grep -v 'not found; say where' gone >said
grep -v 'is not the binary that was' there | cmp - said && echo "the same"
