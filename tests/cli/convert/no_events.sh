# A profile that counts nothing is written in every format as what is read again, or refused.
printf '# callgrind format\nevents:\nfl=a.c\nfn=f\n1\n2\n' > cg
for to in callgrind dcpi dcpicat folded gperf otlp pprof; do
	if assay convert -q cg -t $to -o out.$to 2>err; then
		assay top -q out.$to -f csv >csv 2>err && echo "$to: $(sed 1d csv | wc -l) rows" || { echo "$to: not read"; cat err; }
	else
		echo "$to: not written: $(head -1 err)"
	fi
done
