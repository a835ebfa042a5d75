# Both trees from where the cost is: level one is self cost, each row is the sum of those below it.
scratch=$PWD
cd "$FIXTURES"
assay diff callgrind.out.before callgrind.out.after --view tree --bottom-up -m 0%
assay diff callgrind.out.before callgrind.out.after --view tree --bottom-up -e Ir,Dr -f csv
assay diff callgrind.out.before callgrind.out.after --view tree --bottom-up -e Ir -f markdown -d 1
assay diff callgrind.out.before callgrind.out.after --view tree --bottom-up -e Ir -f json
assay diff demo.prof demo.prof --view tree --bottom-up
cd "$scratch"
# f is called by two, whose shares are estimated; g by one alone; x by somebody in NEW and by nobody.
cat > base <<'END'
# callgrind format
events: Ir
fn=main
1 1
cfn=a
calls=1 2
1 39
cfn=b
calls=1 3
1 70
cfn=x
calls=1 6
1 5
fn=a
cfn=f
calls=1 4
2 30
cfn=g
calls=1 5
2 9
fn=b
cfn=f
calls=1 4
3 70
fn=f
4 100
fn=g
5 9
fn=x
6 5
END
sed '/^cfn=x/,/^1 5/d; s/^2 30/2 50/; s/^1 39/1 59/; s/^4 100/4 120/' base > new
assay diff base new --view tree --bottom-up -m 0%
assay diff base new --view tree --bottom-up -m 0% -f json | grep evidence
