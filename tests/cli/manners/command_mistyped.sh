assay konvert a.prof -o b || echo "exit $?"
# Commands that others have under another name.
for word in annotate disasm report script stat text web; do
	assay $word a.prof || echo "exit $?"
done
