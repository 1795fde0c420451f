// The system's SQLite, which stores the accounts: the functions and constants that the package uses, and no more.
//
// On Linux they are declared by hand, as in SQLite 3.40, so that the package builds if SQLite is installed
// without its header. SQLite never changes or removes what it has declared. `.ci/check-declarations` compares them with
// the header; the decision is Docs/Decisions/0048-libraries-without-headers.md.
#ifndef C_MULTI_IDENTITY_SQLITE_H
#define C_MULTI_IDENTITY_SQLITE_H

#include <stddef.h>

#ifndef __linux__
#include <sqlite3.h>
#else
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef long long int sqlite3_int64;
typedef unsigned long long int sqlite3_uint64;
typedef void (*sqlite3_destructor_type)(void *);

#define SQLITE_OK 0
#define SQLITE_ERROR 1
#define SQLITE_BUSY 5
#define SQLITE_CORRUPT 11
#define SQLITE_FULL 13
#define SQLITE_NOTADB 26
#define SQLITE_ROW 100
#define SQLITE_DONE 101
#define SQLITE_NULL 5
#define SQLITE_UTF8 1
#define SQLITE_OPEN_READWRITE 0x00000002
#define SQLITE_OPEN_CREATE 0x00000004
#define SQLITE_OPEN_NOMUTEX 0x00008000
#define SQLITE_FCNTL_HAS_MOVED 20
#define SQLITE_TRANSIENT ((sqlite3_destructor_type)-1)

int sqlite3_open(const char *path, sqlite3 **database);
int sqlite3_open_v2(const char *path, sqlite3 **database, int flags, const char *system);
int sqlite3_close(sqlite3 *database);
int sqlite3_close_v2(sqlite3 *database);
int sqlite3_extended_result_codes(sqlite3 *database, int on);
int sqlite3_busy_timeout(sqlite3 *database, int milliseconds);
int sqlite3_sleep(int milliseconds);
int sqlite3_file_control(sqlite3 *database, const char *schema, int operation, void *argument);
const char *sqlite3_errmsg(sqlite3 *database);
int sqlite3_exec(
    sqlite3 *database, const char *statements, int (*row)(void *, int, char **, char **), void *context, char **message
);

int sqlite3_prepare_v2(
    sqlite3 *database, const char *text, int count, sqlite3_stmt **statement, const char **rest
);
int sqlite3_step(sqlite3_stmt *statement);
int sqlite3_reset(sqlite3_stmt *statement);
int sqlite3_finalize(sqlite3_stmt *statement);

int sqlite3_bind_null(sqlite3_stmt *statement, int index);
int sqlite3_bind_int64(sqlite3_stmt *statement, int index, sqlite3_int64 number);
int sqlite3_bind_text64(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count, void (*destructor)(void *),
    unsigned char encoding
);
int sqlite3_clear_bindings(sqlite3_stmt *statement);

int sqlite3_column_type(sqlite3_stmt *statement, int column);
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *statement, int column);
const unsigned char *sqlite3_column_text(sqlite3_stmt *statement, int column);
int sqlite3_column_bytes(sqlite3_stmt *statement, int column);
#endif

/// Binds a copy of the text; returns SQLite's result.
// In C, since SQLITE_TRANSIENT is a cast that Swift does not import.
static inline int mi_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, size_t count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
