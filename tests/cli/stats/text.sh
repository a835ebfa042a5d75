# Worked out by hand: parse_header 40000, 46000, 40000; old_check 900, 0, 900; 44500, 50000, 44500 in all.
cd "$FIXTURES"
assay stats callgrind.out.before callgrind.out.after callgrind.out.before
assay stats callgrind.out.before callgrind.out.after -n 2 -s sum -e Dr
assay stats callgrind.out.before callgrind.out.after --factor 2,1 -n 1
assay stats callgrind.out.before callgrind.out.after --normalize total -s sum -n 2
assay stats callgrind.out.before -- callgrind.out.before callgrind.out.after --by file -f markdown
assay stats callgrind.out.before callgrind.out.after --by object
