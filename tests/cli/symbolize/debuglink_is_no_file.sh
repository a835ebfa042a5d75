# A debug link that leads to what never ends, or is no file: it is not read.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -Wl,--build-id=none -o program "$lib/named.c"
python3 "$lib/make_prof.py" program p.prof hash sum
objcopy --only-keep-debug program x.debug
objcopy --strip-all --add-gnu-debuglink=x.debug program
touch -d 2100-01-01 p.prof
for end in /dev/zero /dev/urandom pipe folder sparse junk; do
	rm -rf x.debug pipe folder sparse junk
	mkfifo pipe
	mkdir folder
	truncate -s 8T sparse
	echo junk >junk
	ln -s $end x.debug
	echo "== $end"
	timeout 60 assay top p.prof --symbols auto -n 1 2>&1 >/dev/null | sed "s#$PWD/##g; s/; [0-9.]* %.*//; s/expected .*/expected CRC/"
done
