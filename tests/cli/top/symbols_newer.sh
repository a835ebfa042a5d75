# A file that is newer than the profile is told even where it names next to nothing: the names may be wrong.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
cc -g -O1 -o prog "$(dirname "$FIXTURES")/lib/named.c"
cat > newer <<END
events: Ir
ob=$PWD/prog
fn=main
1 100000
fn=0x$(nm prog | sed -n 's/ T hash$//p')
1 1
END
touch -d 2001-01-01 newer
assay top newer --symbols auto --no-symbol-cache 2>&1 | sed "s|$PWD|.|g"
