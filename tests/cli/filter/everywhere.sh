# All commands that look at a profile take filters.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
demo=$FIXTURES/callgrind.out.demo
assay files "$demo" --focus fib -n 2
assay objects "$demo" --focus fib
assay lines "$demo" --focus fib -n 2
assay show "$demo" --focus fib | grep -e events -e incl -A2
assay info "$demo" --focus fib | grep -e '^events' -e '^holds'
assay list fib "$demo" --focus fib | head -3
assay list mix "$demo" --focus fib
