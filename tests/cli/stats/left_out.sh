# What --keep, --min and --rows leave out stays in the total.
cd "$FIXTURES"
for how in '--keep 90%' '--keep 95%' '--min 5%' '--min 0.5%' '-n 1' '--keep 100% --focus hash'; do
	echo "== $how"
	# shellcheck disable=SC2086 # two words
	assay stats callgrind.out.before callgrind.out.after $how -f csv |
		awk -F, 'NR > 1 { print $1, $2, $6 } $1 != "total" { sum += $6 } $1 == "total" && sum != $6 { print "does not add up" }'
done
