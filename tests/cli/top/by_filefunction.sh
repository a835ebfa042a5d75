# A function's code in one file is a row: what is inlined from others is apart. Figures by hand.
cat > callgrind.out.1 <<END
# callgrind format
version: 1
creator: callgrind-3.19.0
events: Ir
fl=main.c
fn=main
1 10
fi=util.h
5 7
cfi=work.c
cfn=work
calls=2 1
6 100
fe=main.c
2 20
cfi=work.c
cfn=work
calls=1 1
3 50
fl=work.c
fn=work
1 90
fi=util.h
5 60
END
assay top callgrind.out.1 --by filefunction
assay top callgrind.out.1 --by filefunction -f csv
assay top callgrind.out.1 --by function
assay top callgrind.out.1 --by filefunction -f json -n 1
