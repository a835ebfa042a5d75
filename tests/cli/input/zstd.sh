# Where zstd is built in and installed.
if ! command -v zstd > /dev/null || assay --version | grep -q 'no zstd'; then
    exit 0
fi
cp "$FIXTURES/demo.prof" p
assay top p > want
zstd -q p
assay top p.zst | cmp - want
cat p.zst | assay top - | cmp - want
head -c 100 p.zst > cut
assay top cut 2> err || echo status $? > status
grep -q 'zstd data end too early' err
grep -qx 'status 3' status
# Blocks that are whole before a cut are kept.
awk 'BEGIN { print "events: Ir"; for (i = 0; i < 40000; i++) print "fn=f" i "\n" i, i % 7 }' > cg
zstd -q cg
head -c $(($(wc -c < cg.zst) - 100)) cg.zst > cut
zstd -dcq cut > got 2> err || :
assay top got > want
assay top cut 2> err | cmp - want
assay check cut | grep -q 'error: the zstd data end too early; what came before was kept'
