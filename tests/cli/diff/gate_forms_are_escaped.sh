# Names are anybody's: they end no line, no cell and no tag.
printf 'events: Ir\nfl=a,b:c.c\nfn=a<b>&"c`|\033[2J\xff%%\n1 10\n' > a
printf 'events: Ir\nfl=a,b:c.c\nfn=a<b>&"c`|\033[2J\xff%%\n1 20\n' > b
name=$(printf 'a<b>&"c`|\033[2J\xff%%')
for form in text markdown junit annotations json; do
    assay diff a b -f $form --fail-if "self(Ir, '$name') > +1%" || echo "exit status $?"
done
assay diff a b -f junit --fail-if "self(Ir, '$name') > +1%" > x.xml || true
python3 -c 'import xml.dom.minidom as m; print(m.parse("x.xml").getElementsByTagName("failure").length)'
