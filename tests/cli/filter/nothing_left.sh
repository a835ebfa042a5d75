# Nothing is left: status 1, and why. What changes nothing is told.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
status() {
	code=0
	"$@" >out || code=$?
	echo "status $code, $(wc -l <out) lines"
}
demo=$FIXTURES/demo.symbolized.prof
status assay top "$demo" --focus nothing
status assay top "$demo" --focus mix --ignore main
status assay top "$demo" --show obj:nothing
status assay top "$demo" --object nothing
status assay top "$demo" --thread 7
status assay top "$demo" --part 7
status assay top "$demo" --ignore nothing -n 1
status assay filter "$demo" --focus nothing -o new.prof
test ! -e new.prof
