# A table by function is read without lines, `filter` with all that there is: what stays of a
# function, and of its calls, is the same. Costs are shared out, in files that were inlined and in
# calls of which some cost nothing.
cat > in.cg <<'END'
events: Ir Dr
fl=a.c
fn=main
1 1 0
cfn=left
calls=1 1
2 61 7
cfn=right
calls=1 1
3 47 0
cfn=left
calls=2 1
4 30 3
fl=a.c
fn=left
10 5 1
fi=in.h
11 3 2
12 7 0
cfn=deep
calls=3 1
13 17 3
cfn=deep
calls=2 1
14 0 0
fe=a.c
cfn=deep
calls=5 1
15 59 4
fl=b.c
fn=right
20 1 0
fi=in.h
cfn=deep
calls=7 1
21 43 0
fe=b.c
22 3 0
fl=c.c
fn=deep
30 31 2
fi=in.h
31 13 1
fi=other.h
32 75 4
END
for filter in '--focus left' '--ignore left' '--show-from right' '--focus in\.h' '--ignore in\.h' \
	'--focus left --ignore in\.h' '--focus in\.h --ignore deep' '--focus other\.h --ignore right'; do
	# shellcheck disable=SC2086
	assay top -q -n 0 -f csv $filter in.cg > by_files.csv
	# shellcheck disable=SC2086
	assay filter -q $filter in.cg -y -o out.cg
	assay top -q -n 0 -f csv out.cg > whole.csv
	cmp by_files.csv whole.csv
	[ "$(wc -l < by_files.csv)" -gt 1 ]
done
