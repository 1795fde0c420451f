// Counters and baselines for the costs that Swift cannot provide: all in C, and without effect until called.
#ifndef C_COSTS_H
#define C_COSTS_H

#include <stdint.h>

/// Returns the bytes that are allocated and not freed, by all threads; -1 if the system does not report them.
long bytes_in_use(void);

/// Returns the process's peak memory, in bytes.
int64_t peak_memory(void);

/// Encrypts `count` bytes in place with one key, as `openssl speed` does. Returns 0, or the number of the step that failed.
int cipher_speed(unsigned char *bytes, int count);

/// SQLite's own, for a transaction; the package's declarations are not its dependents'.
typedef struct sqlite3 sqlite3;
int sqlite3_open(const char *path, sqlite3 **database);
int sqlite3_close(sqlite3 *database);
int sqlite3_exec(sqlite3 *database, const char *statement, void *callback, void *context, char **error);

#endif
