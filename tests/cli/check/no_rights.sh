# Status 5 for what may not be read; root may read everything.
if [ "$(id -u)" = 0 ]; then
    echo 'check: 5'
    echo 'top: 5'
    exit 0
fi
cp "$FIXTURES/demo.prof" p
chmod 0 p
assay check p > /dev/null || echo "check: $?"
assay top p 2> /dev/null || echo "top: $?"
