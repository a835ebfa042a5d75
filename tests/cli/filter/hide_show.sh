# Frames go, their cost goes to the frame above.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
demo=$FIXTURES/demo.symbolized.prof
assay top "$demo" --hide '^msort' --hide compare -n 5
assay top "$demo" --show 'phase|fib'
assay top "$demo" --show-from phase --relative -n 3
assay top "$demo" --prune-from '^msort' -n 3
