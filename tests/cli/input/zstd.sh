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
