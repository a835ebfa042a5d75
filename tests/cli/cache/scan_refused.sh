try() { assay "$@" || echo "status $?"; }
export XDG_CACHE_HOME="$PWD/cache"
try cache scan
try cache look
try cache scan . --clear
mkdir some
try cache scan nowhere some
ASSAY_CACHE_SIZE=0 try cache scan some
unset XDG_CACHE_HOME HOME
try cache scan some
echo == what may not be read
if [ "$(id -u)" = 0 ]; then
	echo 2
	echo "assay: 2 files or directories could not be read, the first: HERE/some/closed: Permission denied"
	exit 0
fi
export XDG_CACHE_HOME="$PWD/cache"
mkdir -m 0 some/closed
touch some/file
chmod 0 some/file
assay cache scan some -f json 2>said | sed -n 's/.*"unreadable": \([0-9]*\).*/\1/p'
sed "s,$PWD,HERE," said
chmod 700 some/closed
