# A directory where a binary should be is told as such, and a directory that is none.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cc -g -O1 -o program "$lib/named.c"
python3 "$lib/make_prof.py" program p.prof hash sum
mkdir -p elsewhere/program there
mv program there/
for where in --binary=elsewhere --binary=elsewhere/program "--path-map=$PWD=$PWD/elsewhere" \
	--symfs=elsewhere --binary=./nowhere --binary=p.prof; do
	echo "== ${where%%/*}" | sed "s,=/.*,,"
	assay top p.prof --symbols auto "$where" 2>&1 >top | sed "s,$PWD/,,g"
	! grep hash top
done
echo "== a directory, then the binary"
assay top p.prof --symbols auto --binary elsewhere/program --binary there/program -f csv | grep -c hash
ln -s program.link program.link
assay top p.prof --symbols auto --path-map "$PWD/program=$PWD/program.link" 2>&1 >top | sed "s,$PWD/,,g"
