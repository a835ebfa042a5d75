# Of Python's interpreter it is said that its own functions are what a recording has, and how it has
# Python's. It is known by its name, which a shell can have as well.
assay doctor -f json | grep -q '"sampler", "state": "ok"' || { echo 'no sampler beside a sanitizer'; exit 77; }
cp "$(readlink -f /bin/sh)" python3.12
cp python3.12 python3-config
work='i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
printf '%s\n' "#! $PWD/python3.12" "$work" >script
chmod +x script
told() { assay record --no-show -y -F 4000 -o run.prof "$@" 2>&1 >/dev/null | grep -o "Python's .*" || echo nothing; }
told ./python3.12 -c "$work"
told ./script
told ./python3-config -c "$work"
echo "with names:"
told ./python3.12 -c ": >/tmp/perf-\$\$.map; echo \$\$ >pid; $work"
rm -f "/tmp/perf-$(cat pid).map"
