# When samples were counted, and of which thread, is in the page where the file tells.
assay --version | grep -q ', page' || { echo "built without the page"; exit 77; }
i=0
while [ $i -lt 40 ]; do
	i=$((i + 1))
	printf 'w%d  7/%d   %d.%d: %d cycles: \n\t  5%d main+0x10 (/bin/prog)\n\n' $((i % 3)) $((8 + i % 3)) $((i / 7)) $((i * 37 % 1000)) $((i * 1000)) $((i % 5))
done >perf.txt
assay share perf.txt -o a.html -q
PYTHONPATH=$(dirname "$0") python3 - <<'END'
from page import Elements
open('saved.pb', 'wb').write(Elements('a.html').data('profile'))
END
for what in "timeline -b 7 -n 0" "top --by thread -n 0" "top --from 1s --to 3.5s -n 0" "top --thread 9 --to 2s -n 0"; do
	assay $what perf.txt -f csv >one.csv
	assay $what saved.pb -f csv >two.csv
	cmp one.csv two.csv && echo "$what" && tail -2 one.csv
done
# The same file as it stands in a page again, and what others see in it
assay share saved.pb -o c.html -q
PYTHONPATH=$(dirname "$0") python3 - <<'END'
from page import Elements
assert Elements('c.html').data('profile') == open('saved.pb', 'rb').read()
END
assay convert saved.pb -o plain.pb
assay diff plain.pb saved.pb -f csv | head -3
