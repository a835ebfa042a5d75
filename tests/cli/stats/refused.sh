cd "$FIXTURES"
try() { assay "$@" || echo "status $?"; }
try stats callgrind.out.before
try stats callgrind.out.before callgrind.out.after --
try stats callgrind.out.before -- -- callgrind.out.after
try stats - - callgrind.out.after
try stats callgrind.out.before callgrind.out.after --factor 1
try stats callgrind.out.before callgrind.out.after --factor 1,2,3
try stats callgrind.out.before callgrind.out.after --factor 1,x
try stats callgrind.out.before callgrind.out.after --factor 1,2 --normalize total
try stats callgrind.out.before callgrind.out.after --keep 9
try stats callgrind.out.before callgrind.out.after --min 101%
try stats callgrind.out.before callgrind.out.after -e nothing
try stats callgrind.out.before callgrind.out.after --focus nothing
try stats callgrind.out.before missing
cd - > /dev/null
printf 'f 10\ng -20\n' > less.folded
printf 'f 30\ng 10\n' > more.folded
try stats more.folded less.folded --normalize total
