# Also what others call it.
for word in --sotr --incl --inclusive --nodecount=5 --sample_index=1 --inn; do
	assay top $word Ir "$FIXTURES/demo.prof" || echo "exit $?"
done
