# Source of the functions that differ most: lines add up to the function.
cat > t.c <<'C'
int helper(int x)
{
	return x * x;
}

int work(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += helper(i) + MACRO(i);
	return sum;
}
C
profile()
{
	printf 'events: Ir\nfl=t.c\nfn=work\n8 10\n10 %s\n11 %s\ncfn=helper\ncalls=5 1\n11 %s\nfi=macros.h\n3 %s\nfe=t.c\n12 3\n' "$1" "$2" "$3" "$4"
	printf 'fn=helper\n3 %s\n' "$3"
}
profile 100 200 50 7 > base.cg
profile 100 260 90 0 > new.cg
touch -d '2020-01-01' t.c
assay diff base.cg new.cg --view list
assay diff base.cg new.cg --view list --function work -C 0
assay diff base.cg new.cg --view list --function '^h.*r$' -f csv
assay diff base.cg new.cg --view list --function work -f markdown
assay diff base.cg new.cg --view list -n 1 -f json
echo 'nothing differs:'
assay diff base.cg base.cg --view list
