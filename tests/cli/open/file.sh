# A private file, the browser that $BROWSER names, without a shell; old pages go.
assay --version | grep -q ', page' || { echo "built without the page"; exit 77; }
mkdir tmp bin
export TMPDIR="$PWD/tmp"
cat >bin/browser <<'END'
#!/bin/sh
for word; do printf '[%s]' "$word"; done >"$TMPDIR/told.new"
mv "$TMPDIR/told.new" "$TMPDIR/told"
END
chmod +x bin/browser
touch -d '3 days ago' tmp/assay-page-Abc123.html tmp/assay-page-mine.html
touch tmp/assay-page-Abc124.html
shown() { while [ ! -e tmp/told ]; do sleep 0.05; done; sed "s/assay-page-......\.html/PAGE/g" tmp/told; echo; rm tmp/told; }
BROWSER="no.such.browser:$PWD/bin/browser --new %s \$(touch\ hacked) ;x" assay open "$FIXTURES/callgrind.out.demo" 2>&1 |
	sed 's/page-......\.html/page-X.html/'
shown | sed "s#$PWD#HERE#g"
BROWSER="$PWD/bin/browser" assay open -q
shown | sed "s#$PWD#HERE#g"
ls tmp | sed 's/page-\(Abc124\|mine\)/page=\1/; s/page-.*/page-X/' | sort
rm tmp/assay-page-mine.html tmp/assay-page-Abc124.html
stat -c %a tmp/*
mkdir run
XDG_RUNTIME_DIR="$PWD/run" DISPLAY= WAYLAND_DISPLAY= assay open "$FIXTURES/callgrind.out.demo" | sed 's/page-......\.html/page-X.html/; s/([0-9.]* MB)/(SIZE)/; s/localhost:7777 .*/localhost:7777/'
SSH_CONNECTION=x DISPLAY=:9 assay open | sed 's/page-......\.html/page-X.html/; s/([0-9.]* MB)/(SIZE)/; s/localhost:7777 .*/localhost:7777/'
ls run | wc -l
TMPDIR=/no/such assay open || echo "exit $?"
assay open --port 80 || echo "exit $?"
assay open a b c || echo "exit $?"
