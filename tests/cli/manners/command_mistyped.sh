assay konvert a.prof -o b || echo "exit $?"
# Commands that others have under another name.
for word in annotate comments disasm evlist flamegraph gate load raw report script stat text view web weblist; do
	assay $word a.prof || echo "exit $?"
done
assay --no-pager -q report a.prof || echo "exit $?"
