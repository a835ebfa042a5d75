# Source that was changed after its binary was built is marked, even if the profile is newer still.
if assay --version | grep -q "no elfutils"; then echo "no elfutils"; exit 77; fi
lib=$(dirname "$FIXTURES")/lib
cp "$lib/named.c" named.c
touch -d 2020-01-01 named.c
cc -g -O1 -o program named.c
python3 "$lib/make_prof.py" program p.prof hash sum
mark() { assay list sum p.prof "$@" | grep -c "newer than its binary" || true; }

echo "as built:" "$(mark --symbols auto)"
touch -d '+1 minute' p.prof
touch -d '+30 seconds' named.c
echo "changed between:" "$(mark --symbols auto)"
