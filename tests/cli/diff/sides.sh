# Which are BASE, which are NEW?
cd "$FIXTURES"
a=callgrind.out.before b=callgrind.out.after
assay diff $a || echo "exit status $?"
assay diff $a $b $b || echo "exit status $?"
assay diff $a $b -- || echo "exit status $?"
assay diff - - || echo "exit status $?"
assay diff $a missing || echo "exit status $?"
assay diff $a - -n 1 < $b
assay diff $a -n 1 -- - < $b
assay diff $a $b -s Cycles || echo "exit status $?"
assay diff $a $b -e Ir,Ir,Dr || echo "exit status $?"
assay diff $a $b -e Ir,Ir || echo "exit status $?"
assay diff $a $b -f junit || echo "exit status $?"
assay diff $a $b --normalize time || echo "exit status $?"
