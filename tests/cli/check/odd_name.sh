# The name of a file that cannot be read is shown as it may be looked at.
assay check "$(printf 'no\026such')" || echo "status $?"
