# Names that would end the element that they stand in, or begin another.
assay --version | grep -q ', page' || { echo "built without the page"; exit 77; }
bad='<script>alert(1)<'
printf 'main;</script><img src=x onerror=alert(1)>;<!--<script> 40\n' >"$bad-- \"'&.folded"
mkdir 'src' 'src/<'
printf 'int a;\n</script><script>alert(2)</script>\n<!--<script>\n' >'src/</script>.c'
cat >callgrind.out.1 <<END
events: Ir
fl=$PWD/src/</script>.c
fn=</script><script>alert(3)</script>
2 5
END
assay share "$bad-- \"'&.folded" -o a.html --focus '</script>'
assay share callgrind.out.1 -o b.html
assay open -q >/dev/null
PYTHONPATH=$(dirname "$0") python3 - <<'END'
import glob
from page import Elements
empty = Elements(glob.glob('assay-page-*.html')[0])
for path, more in (('a.html', 3), ('b.html', 2)): # the script of times is in the empty one alone
    page = Elements(path)
    assert page.tags == empty.tags[:1] + page.tags[1:] and page.tags.count('script') == empty.tags.count('script') + more, page.tags
    assert set(page.tags) == set(empty.tags)
    print(repr(page.title), repr(page.scripts['profile']['attrs']['data-name']), page.scripts.get('state', {}).get('text'))
print(Elements('b.html').json('code')['sources'].popitem()[1])
END
