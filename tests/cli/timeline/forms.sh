# Two threads, one after the other, in each form; half a millisecond of the second one is off the processor.
lib=$(dirname "$0")/../../lib
python3 "$lib/uftrace_dir.py" two_threads rec
assay timeline rec -b 16
assay timeline rec -b 4 -e calls -f json
assay timeline rec -b 4 -f csv
assay timeline rec -b 8 -f markdown -n 1
assay timeline rec -b 8 --ignore linux:schedule --thread helper
LC_ALL=C assay timeline rec -b 8 -n 1 --unit ms
