# Stretches of time that meet add up to the whole; time that passed is cut, calls count where they begin.
lib=$(dirname "$0")/../../lib
python3 "$lib/uftrace_dir.py" two_threads rec
assay top rec -n 0
assay top rec -n 0 --from 1.25ms --to 4250us
for part in '--to 1.25ms' '--from 1.25ms --to 4250us' '--from 4250us'; do
	assay info rec $part | grep -A1 '^events'
done
# It is written as any other part, and what it was written to says what is lost.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
assay filter rec --from 4ms --thread helper -t folded -o -
assay convert rec -t dump -o - | grep -c '^moment'
