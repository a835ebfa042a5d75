# Runtimes that are in PATH are asked what they can do; what is not there has no line.
mkdir -p bin none jdk/bin
for tool in grep sed sh rm cat chmod; do ln -s "$(command -v $tool)" bin/; ln -s "$(command -v $tool)" none/; done
self=$(command -v assay)
doctor() { PATH=$1 "$self" doctor | sed 's/->/→/' | grep -A1 '^[a-z]* *\(node\|python\|java\) ' | grep '^[a-z]* *\(node\|python\|java\) \|→' || echo nothing; }
is() { printf '#!/bin/sh\n%s\n' "$2" > "$1"; chmod +x "$1"; }
doctor "$PWD/none"
ln -s "$PWD/jdk/bin/java" bin/java
is jdk/bin/java 'exit 1'
while IFS=, read -r node python java modules; do
	echo "== $node, $python, $java $modules"
	is bin/node "echo $node"
	is bin/python3 "echo $python"
	printf 'JAVA_VERSION="%s"\nMODULES="java.base %s"\n' "$java" "$modules" > jdk/release
	doctor "$PWD/bin" | sed "s|/.*/bin/|BIN/|"
done <<'END'
v20.20.2,3 13 1 1,21.0.2,jdk.jfr
v11.15.0,3 12 1 0,11.0.20,jdk.jfr
what,3 11 0 1,1.8.0_292,
,,what,
END
# What the runtimes of this machine say of themselves.
is bin/python3 "exec $(command -v python3) \"\$@\""
PATH=$PWD/bin "$self" doctor | grep -o 'python  *3\.[0-9]*' | grep -o '3.*' > told
python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' | cmp - told
# A runtime that says nothing does not keep it.
for never in 'exec sleep 100' 'echo v20.1.0; exec sleep 100 >&-' 'while :; do echo v20.1.0; done'; do
	is bin/node "$never"
	doctor "$PWD/bin" | sed "s|/.*/bin/|BIN/|" | grep node
done
rm jdk/release; doctor "$PWD/bin" | sed "s|/.*/bin/|BIN/|" | grep -A1 java
