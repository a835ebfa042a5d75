# A browser that ends at once, and not well: said, with the file that it did not show.
assay --version | grep -q ', page' || { echo "built without the page"; exit 77; }
mkdir bin
export TMPDIR="$PWD"
tried() { BROWSER=$1 assay open "$FIXTURES/callgrind.out.demo" 2>&1 | sed 's/page-......\.html/page-X.html/; s/([0-9.]* MB)/(SIZE)/'; }
printf '#!/bin/sh\nexit 3\n' >bin/three
printf '#!/bin/sh\nkill -9 $$\n' >bin/killed
printf '#!/bin/sh\nsleep 60 & echo $! >"$TMPDIR/pid"\nwait\n' >bin/stays
chmod +x bin/*
tried "no.such.browser:$PWD/bin/three --new %s:$PWD/bin/stays"
tried "$PWD/bin/killed"
tried "$PWD/bin/stays"
while [ ! -s pid ]; do sleep 0.05; done
kill "$(cat pid)"
ls assay-page-*.html | wc -l
