#include "formats/pprof/pprof.h"
