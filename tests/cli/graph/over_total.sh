# calls that cost more than all there is: shown as the file has them, and said
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
assay graph calls.cg -f csv
assay graph calls.cg --cycles no > no.dot
