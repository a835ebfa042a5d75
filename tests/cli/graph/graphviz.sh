# Graphviz reads it, and what it shows are the names.
command -v dot > /dev/null || { echo 'graphviz is not installed'; exit 77; }
. "$(dirname "$0")/names"
hostile > h
assay graph h -n 0 -m 0 | dot -Tplain > plain
grep -c '^node ' plain
grep -c '^edge ' plain
assay graph h -n 0 -m 0 | dot -Tsvg > svg
python3 - <<'END'
import xml.etree.ElementTree as et
text = [t.text for t in et.parse('svg').iter('{http://www.w3.org/2000/svg}text')]
for name in ['main', 'a"b', 'a\\N', 'x\\', '&lt;b&gt;', '&#65;', 'f(int&, x)', '"]; evil [label="', '\\xff\\x0d\\x09z', 'é€']:
    print(ascii(name), name in text)
END
for f in callgrind.out.demo demo.symbolized.prof; do
    assay graph -q "$FIXTURES/$f" -n 0 -m 0 | dot -Tcanon > /dev/null && echo "$f is read"
done
