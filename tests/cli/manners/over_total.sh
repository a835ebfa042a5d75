# Calls that cost more than all there is: shown as the file has them, and every view says so.
cat > calls.cg <<'EOF'
# callgrind format
events: Ir
fn=main
1 30
cfn=work
calls=1 10
2 1200
fn=work
10 800
totals: 830
EOF
echo == top
echo == top >&2
assay top calls.cg
assay top calls.cg --cycles no -n 1
assay top calls.cg -f json > top.json
assay top calls.cg -n 1 --by file
echo == show
echo == show >&2
assay show calls.cg
echo == peek
echo == peek >&2
assay peek work calls.cg
assay peek work calls.cg --cycles no > no.txt
echo == tree
echo == tree >&2
assay tree calls.cg
assay tree calls.cg work --callers
assay tree calls.cg --cycles no > no.txt
echo == graph
echo == graph >&2
assay graph calls.cg -f csv
assay graph calls.cg --cycles no > no.dot
echo == cycles
echo == cycles >&2
assay cycles calls.cg
echo == diff
echo == diff >&2
sed 's/^10 800/10 1200/; s/830/1230/' calls.cg > sound.cg
assay diff calls.cg sound.cg
assay diff sound.cg calls.cg --cycles no > no.txt
