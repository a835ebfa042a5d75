# An event has the whole behind its total; without filters, and with --relative, it has not.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
demo=$FIXTURES/demo.symbolized.prof
assay top "$demo" --focus fib -n 1 -f json
assay top "$demo" --focus fib --relative -n 1 -f json | grep total
assay top "$demo" -n 1 -f json | grep total
assay lines "$FIXTURES/callgrind.out.demo" --prune-from sort_phase -n 1 -f json | grep -e estimated -e shape
