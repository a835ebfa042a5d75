# What can't be written is told before anything runs; what can't be written then is kept.
# Where there is no sampler, as beside a sanitizer, nothing can be recorded from within.
assay doctor -f json | grep -q '"sampler", "state": "ok"' || { echo 'no sampler beside a sanitizer'; exit 77; }
burn='i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
assay record -o x.dcpi touch ran || echo "status $?"
assay record -t dcpi -o - touch ran || echo "status $?"
assay record -o folder/ touch ran || echo "status $?"
assay record -o nowhere/x.prof touch ran || echo "status $?"
assay record -q --no-show -F 4000 -t dcpi -o folder/ sh -c "$burn"
assay check -q folder/*.dcpi | sed 's/.*: ok/ok/' | sort -u
assay record -q --no-show -F 4000 -o taken.prof sh -c "$burn; echo mine > taken.prof" || echo "status $?"
cat taken.*
assay record -q --no-show -F 4000 -o taken.folded sh -c "$burn; echo mine > taken.folded" || echo "status $?"
assay record -q --no-show -F 4000 --strict -o strict.folded sh -c "$burn" || echo "status $?"
for i in .assay-record-*/profile; do assay check -q "$i" > kept && echo "kept, and sound"; done
ls
