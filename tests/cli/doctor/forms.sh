# What works differs from machine to machine; that it is told does not.
assay doctor > text; test $? -le 1
grep -c '^\(ok\|note\|no\) ' text | awk '{ print ($1 >= 6 ? "some checks" : "too few") }'
assay doctor -f json | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["schema"], sorted({c["state"] for c in d["checks"]} - {"ok", "note", "no"}), type(d["can_record"]).__name__)'
assay doctor -f csv | head -1
assay doctor now || echo "status $?"
# Who may be asked for names is told as it is.
for servers in '' https://names.example; do
	DEBUGINFOD_URLS=$servers assay doctor | grep -A1 debuginfod | sed 's/->/→/'
done
