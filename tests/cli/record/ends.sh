# What would end the recorder is passed on to the program, and the profile is finished.
# Where there is no sampler, as beside a sanitizer, nothing can be recorded from within.
assay doctor -f json | grep -q '"sampler", "state": "ok"' || { echo 'no sampler beside a sanitizer'; exit 77; }
on='i=0; while [ $i -lt 30000000 ]; do i=$((i+1)); done; exit 3'
env --default-signal=TERM assay record -q --no-show -o term.prof sh -c "kill -TERM \$PPID; $on" || echo "status $?"
env --default-signal=HUP assay record -q --no-show -o hup.prof sh -c "kill -HUP \$PPID; $on" || echo "status $?"
(trap '' HUP; exec assay record -q --no-show -o nohup.prof sh -c 'kill -HUP $PPID; kill -HUP $$; exit 5') || echo "status $?"
env --default-signal=INT assay record -q --no-show -o int.prof sh -c "kill -INT \$PPID; $on" || echo "status $?"
(trap '' INT; exec assay record -q --no-show -o noint.prof sh -c 'kill -INT $PPID; kill -INT $$; exit 6') || echo "status $?"
assay record -q --no-show -o killed.prof sh -c 'kill -9 $$' || echo "status $?"
assay check killed.prof | grep -o '\[gp-.*' || echo "nothing"
for i in term hup nohup int noint; do assay check -q $i.prof > /dev/null && echo sound; done
ls -A
