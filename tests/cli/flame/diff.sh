# Both sides in one picture: what is gone is there as well, and what is new.
cat > base <<'END'
# callgrind format
version: 1
creator: callgrind-3.19.0
events: Ir
fn=main
1 10
cfn=parse
calls=1 2
1 50
cfn=old
calls=1 3
1 20
fn=parse
2 50
fn=old
3 20
END
sed 's/^fn=old/fn=new/; s/^cfn=old/cfn=new/; s/ 50$/ 90/' base > new
assay flame new --diff base -f text -w 60
echo == without room for figures there is a sign
assay flame new --diff base -f text -w 20 | tail -n +3
echo == with colours there are neither
assay flame new --diff base -f text -w 60 --color always | tail -n +2 | grep -c '[+%]' || true
echo == what colours and edges mean
assay flame new --diff base | sed -n '/class="head"/,/^<\/g>/p' | grep -o '^<rect class.*'
assay flame new --diff base | grep -A2 '<title>' | grep -v '^--'
echo 'from where the cost is:'
assay flame new --diff base --bottom-up -f text -w 60
assay flame new --diff base --bottom-up | grep -A2 '<title>' | grep -v '^--'
assay flame new --diff base --min 1% || echo "exit $?"
