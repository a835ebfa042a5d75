cd "$FIXTURES"
assay stats callgrind.out.before callgrind.out.after -n 1 -f json
assay stats callgrind.out.before -- callgrind.out.after callgrind.out.before -f csv
