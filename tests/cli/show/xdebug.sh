# Xdebug's events say their unit in their names.
cat > cachegrind.out.1 <<'END'
version: 1
creator: xdebug 3.3.1 (PHP 8.2.0)
cmd: /srv/x.php
part: 1
positions: line

events: Time_(10ns) Memory_(bytes)

fl=(1) /srv/x.php
fn=(1) {main}
1 12345678 2048
END
assay cachegrind.out.1 | grep '^events'
assay top cachegrind.out.1 -u auto
