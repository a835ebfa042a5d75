. "$(dirname "$0")/../samples"
extended | assay convert - -t callgrind -o - | assay top -
