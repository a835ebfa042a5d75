/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns of a store's tables, docs/formats/store.md: name and type, in the order in which rows
 * are sent. `day` leads in each of them, as a table is cut up by it.
 */
#ifndef AS_FLEET_FLEET_TABLES_H
#define AS_FLEET_FLEET_TABLES_H

/* A change of what follows, or of how ids are made, is another version. */
enum { AS_FLEET_VERSION = 3 };

/* A push that is whole. BEGIN is nanoseconds since 1970, NANOS how long it took; 0: not known. From
 * `known` on it is struct as_signals. */
#define AS_FLEET_BATCHES(X)  \
	X(day, "Date")       \
	X(batch, "UInt64")   \
	X(attempt, "UInt64") \
	X(service, "String") \
	X(host, "String")    \
	X(t0, "UInt32")      \
	X(t1, "UInt32")      \
	X(begin, "Int64")    \
	X(nanos, "Int64")    \
	X(rows, "UInt64")    \
	X(total, "Int64")    \
	X(mass, "UInt64")    \
	X(lost, "UInt64")    \
	X(note, "String")    \
	X(known, "UInt8")    \
	X(samples, "UInt64") \
	X(signals, "UInt64") \
	X(squares, "UInt64") \
	X(unsignalled, "UInt64")

#define AS_FLEET_SAMPLES(X) \
	X(day, "Date")      \
	X(svc, "UInt64")    \
	X(ts, "UInt32")     \
	X(series, "UInt64") \
	X(stack, "UInt64")  \
	X(value, "Int64")   \
	X(attempt, "UInt64")

/* Leaf first. A place whose callers nobody recorded is its frame and then 0. HOME is the service
 * whose samples name it. */
#define AS_FLEET_STACKS(X) \
	X(day, "Date")     \
	X(home, "UInt64")  \
	X(stack, "UInt64") \
	X(frames, "Array(UInt64)")

/* A frame is code at a place; its row 0 the function that is there, the others what is inlined into
 * it, outermost first. */
#define AS_FLEET_FRAMES(X)   \
	X(day, "Date")       \
	X(home, "UInt64")    \
	X(frame, "UInt64")   \
	X(idx, "UInt16")     \
	X(func, "String")    \
	X(system, "String")  \
	X(start, "UInt64")   \
	X(file, "String")    \
	X(entry, "UInt64")   \
	X(module, "String")  \
	X(buildid, "String") \
	X(site, "String")    \
	X(line, "UInt64")    \
	X(col, "UInt64")     \
	X(addr, "UInt64")    \
	X(kind, "UInt8")     \
	X(ver, "UInt32")

/* IDX is the event's place in its profile, COL its column in the file. One element of the last four
 * for each label; without a text it is a number. */
#define AS_FLEET_SERIES(X)              \
	X(day, "Date")                  \
	X(series, "UInt64")             \
	X(svc, "UInt64")                \
	X(type, "String")               \
	X(unit, "String")               \
	X(period, "UInt64")             \
	X(period_unit, "String")        \
	X(title, "String")              \
	X(idx, "UInt32")                \
	X(col, "UInt32")                \
	X(depth, "UInt32")              \
	X(flags, "UInt8")               \
	X(service, "String")            \
	X(host, "String")               \
	X(label_key, "Array(String)")   \
	X(label_text, "Array(String)")  \
	X(label_number, "Array(Int64)") \
	X(label_unit, "Array(String)")

/* HOME of marks: rows of stacks and frames that stand for nothing. An id of theirs is the attempt
 * to push that ended in them. */
#define AS_FLEET_MARKS UINT64_MAX

/* Rows of a frame, at the most. */
enum { AS_FLEET_IN_FRAME = 256 };

/* frames.kind: the kind of the object's addresses (enum as_addr_kind), and */
enum {
	AS_FRAME_ADDRS = 7,
	AS_FRAME_INLINED = 8,
	AS_FRAME_WHOLE = 16,  /* without a name: ENTRY is where the function begins */
	AS_FRAME_FOLDED = 32, /* other code that is the same was made one with it */
};

/* series.flags */
enum {
	AS_SERIES_ESTIMATED = 1, /* the event's values were scaled up */
	AS_SERIES_GUESSED = 2,   /* stacks were made out of calls */
	AS_SERIES_PARTIAL = 4,   /* the profile was damaged */
};

#endif
