# SPDX-License-Identifier: Apache-2.0
# Of calls, paths are made for the events that are shown, and no others: what costs none of these is
# no row, and counts for no rest.
cat > three.cg << 'END'
events: A B C
fn=main
1 1 2 3
cfn=f
calls=1 2
1 10 20 70
cfn=g
calls=1 3
1 0 0 50
fn=f
2 10 20 30
cfn=g
calls=1 3
2 0 0 40
fn=g
3 0 0 90
END
assay tree three.cg -f csv -m 0
assay tree three.cg -f csv -m 0 -e B,A
assay tree three.cg -f csv -m 0 -e B,A -s C
assay tree three.cg -m 0 -e B,A
