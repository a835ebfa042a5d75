# Colour on request only; the flag beats the environment.
esc=$(printf '\033')
has() {
    if "$@" | grep -q "$esc"; then echo colour; else echo plain; fi
}
p=$FIXTURES/demo.prof
has assay "$p"
has assay --color always "$p"
has env CLICOLOR_FORCE=1 assay "$p"
has env CLICOLOR_FORCE=0 assay "$p"
has env CLICOLOR_FORCE=1 NO_COLOR=1 assay "$p"
has env NO_COLOR=1 assay --color=always "$p"
has env CLICOLOR_FORCE=1 assay --color=never "$p"
echo "heat, by the largest self cost that is shown"
assay top "$p" -n 3 --color always | sed -n '2,5s/\x1b\[\([0-9;]*\)m/<\1>/gp'
