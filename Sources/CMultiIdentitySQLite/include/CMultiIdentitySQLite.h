// The system's SQLite, which the store of accounts is kept by: Debian's libsqlite3-dev.
#ifndef C_MULTI_IDENTITY_SQLITE_H
#define C_MULTI_IDENTITY_SQLITE_H

#include <sqlite3.h>
#include <stddef.h>

/// Binds a copy of the text; the result is SQLite's.
// In C, since SQLITE_TRANSIENT is a cast that Swift does not import.
static inline int mi_sqlite_bind_text(
    sqlite3_stmt *_Nonnull statement, int index, const char *_Nonnull text, size_t count
) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
