# Trip, pass, vanish, incomparable, malformed: the exit status tells them apart.
cd "$FIXTURES"
gate() {
    echo "$1"
    shift
    assay diff callgrind.out.before callgrind.out.after -n 1 "$@" > /dev/null && echo "exit status 0" ||
        echo "exit status $?"
}
gate pass --fail-if 'total(Ir) > +13%'
gate trip --fail-if 'total(Ir) > +12%'
gate 'one of two' --fail-if 'total(Ir) > +13%' --fail-if "self(Dr, 'hash') >= +40"
gate fewer --fail-if 'total(Dr) < -5%'
gate two-sided --fail-if '|total(Dr)| > 5%'
gate vanished --fail-if "self(Ir, 'old_check') > +100%"
gate 'vanished, and' --fail-if "self(Ir, 'old_check') > +100% and total(Ir) > 1G"
gate nobody --fail-if "self(Ir, 'nobody') > 1"
gate appeared --fail-if "self(Ir, 'new_cache') > +100%"
gate inclusive --fail-if "incl(Ir, 'parse_header', 'server') > +15%"
gate 'other event' --fail-if 'total(Cycles) > +1%'
gate 'both' --fail-if 'total(Ir) > +1%' --fail-if 'total(Cycles) > +1%'
gate malformed --fail-if 'total(Ir) > +1% and'
gate nothing --fail-if ''
gate 'not a limit' --fail-if 'total(Ir) > inf'
