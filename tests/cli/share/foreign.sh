# What the page cannot read by itself is written anew for it.
assay --version | grep -q ', page' || { echo "built without the page"; exit 77; }
printf 'prog  7/8   %d.500000:  250000 cycles: \n\t  55d0 main+0x10 (/bin/prog)\n\n' 1 2 2 >perf.txt
assay share perf.txt -o a.html -q
PYTHONPATH=$(dirname "$0") python3 - <<'END'
from page import Elements
page = Elements('a.html')
print(page.scripts['profile']['attrs'])
open('saved.pb', 'wb').write(page.data('profile'))
END
assay top saved.pb -f csv
# Nor does it read dialects of folded stacks.
printf '# austin: 3.7.0\nP41;T0:7f01;/app/main.py:work:12 1012\n' >austin.txt
assay share austin.txt -o b.html -q
PYTHONPATH=$(dirname "$0") python3 - <<'END'
from page import Elements
page = Elements('b.html')
print(page.scripts['profile']['attrs'])
open('saved.pb', 'wb').write(page.data('profile'))
END
assay top saved.pb -f csv
