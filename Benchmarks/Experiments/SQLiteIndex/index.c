// An index of owners as tables of SQLite, in the shape that is cheapest to look up, for `measure` beside it to judge.
//
// usage: index fill FOLDER JOURNAL FILES     makes files of ten owners in a shuffled order; owner0 has every tenth
//        index answer FOLDER WAY             put INODE OWNER, get INODE: a line each, answered when it would last
//        index look FOLDER WAY COUNT         looks one file up so many times
//        index work FOLDER WHAT FILES        as another tenant, `writes` or `look-ups` (by counter), printed each second
//        index wipe FOLDER OWNER BATCH PACE  removes an owner's files, BATCH in a transaction, and rests PACE times as long
//
// WAY is `statement`; or a cache that `pragma` (data_version) or `counter` (in a mapped file) says to be valid, or
// `unchecked`, which nobody validates: what an index in memory costs. SECURE=0 in the environment turns secure_delete off.
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static sqlite3 *db;
static sqlite3_stmt *look, *put, *name, *version, *begin, *commit;

static void check(int result) {
    if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE) return;
    printf("sqlite: %s\n", sqlite3_errmsg(db));
    exit(3);
}
static void run(const char *sql) { check(sqlite3_exec(db, sql, 0, 0, 0)); }
static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *made;
    check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &made, 0));
    return made;
}
static void step(sqlite3_stmt *statement) {
    check(sqlite3_step(statement));
    check(sqlite3_reset(statement));
}
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

// One counter for each 1,024th part of the files, shared by all processes: odd while a transaction commits that changes one
// of them, and another number afterwards. Only who has SQLite's write lock changes one. One that stays odd since its writer
// was killed sends every look-up to SQLite, until the next writer makes it even.
enum { SLOTS = 1024, CACHED = 1 << 20 };
static volatile uint64_t *counters;
static uint64_t *counter(int64_t inode) { return (uint64_t *)&counters[(uint64_t)inode * 0x9E3779B97F4A7C15u >> 54]; }
static void changing(int64_t inode) { __atomic_store_n(counter(inode), *counter(inode) | 1, __ATOMIC_SEQ_CST); }
static void changed(int64_t inode) { __atomic_store_n(counter(inode), (*counter(inode) | 1) + 1, __ATOMIC_SEQ_CST); }

static void open_index(const char *folder, const char *journal) {
    char path[4096], text[200];
    snprintf(path, sizeof path, "%s/owners.sqlite", folder);
    check(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, 0));
    sqlite3_busy_timeout(db, 60000);
    if (journal) {
        snprintf(text, sizeof text, "PRAGMA journal_mode = %s", journal);
        run(text);
        run("CREATE TABLE owners (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
            "CREATE TABLE files (inode INTEGER PRIMARY KEY, birth INTEGER, owner INTEGER NOT NULL, sum INTEGER NOT NULL);"
            "CREATE TABLE names (inode INTEGER, path TEXT, PRIMARY KEY (inode, path)) WITHOUT ROWID;"
            "CREATE INDEX files_of ON files (owner)");
    }
    run("PRAGMA synchronous = FULL; PRAGMA mmap_size = 1073741824; PRAGMA cache_size = -65536");
    run(getenv("SECURE") && *getenv("SECURE") == '0' ? "PRAGMA secure_delete = OFF" : "PRAGMA secure_delete = ON");
    look = prepare("SELECT birth, owner, sum FROM files WHERE inode = ?");
    put = prepare("INSERT INTO files VALUES (?1, ?2, ?3, ?4) ON CONFLICT (inode) DO UPDATE SET owner = ?3, sum = ?4");
    name = prepare("INSERT OR IGNORE INTO names VALUES (?, ?)");
    version = prepare("PRAGMA data_version");
    begin = prepare("BEGIN IMMEDIATE");
    commit = prepare("COMMIT");
    snprintf(path, sizeof path, "%s/changes", folder);
    int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, SLOTS * sizeof *counters)) exit(4);
    counters = mmap(0, SLOTS * sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
}

static int64_t sum(int64_t inode, int64_t birth, int64_t owner) {
    uint64_t mixed = ((uint64_t)inode * 0x9E3779B97F4A7C15u ^ birth) * 0xBF58476D1CE4E5B9u ^ owner;
    return (mixed ^ mixed >> 31) * 0x94D049BB133111EBu >> 16;
}
static int64_t birth(int64_t inode) { return inode * 1000 + 7; }

static void insert(int64_t inode, int64_t owner) {
    char path[200];
    int length = snprintf(path, sizeof path, "folder%03d/owner%d~%d-%.*s", (int)(inode / 1000), (int)(inode % 10), (int)inode,
                          (int)(inode * 31 % 60), "a name that is long or short, as the names of files are .....");
    sqlite3_bind_int64(put, 1, inode);
    sqlite3_bind_int64(put, 2, birth(inode));
    sqlite3_bind_int64(put, 3, owner);
    sqlite3_bind_int64(put, 4, sum(inode, birth(inode), owner));
    step(put);
    sqlite3_bind_int64(name, 1, inode);
    sqlite3_bind_text(name, 2, path, length, SQLITE_TRANSIENT);
    step(name);
}

static void put_lasting(int64_t inode, int64_t owner) {
    step(begin);
    insert(inode, owner);
    changing(inode);
    step(commit);
    changed(inode);
}

// -1: never seen; -2: damaged.
static int64_t ask(int64_t inode) {
    sqlite3_bind_int64(look, 1, inode);
    int result = sqlite3_step(look);
    int64_t owner = -1;
    if (result == SQLITE_ROW) {
        owner = sqlite3_column_int64(look, 1);
        int64_t born = sqlite3_column_int64(look, 0);
        if (sqlite3_column_int64(look, 2) != sum(inode, born, owner)) owner = -2;
        else if (born != birth(inode)) owner = -1;
    } else if (result != SQLITE_DONE) owner = -2;
    sqlite3_reset(look);
    return owner;
}

static struct { int64_t inode, owner; uint64_t version; } cache[CACHED];

static int64_t owner_of(int64_t inode, char way) {
    if (way == 's') return ask(inode);
    uint64_t valid = 2;
    if (way == 'p') {
        check(sqlite3_step(version));
        valid = (uint64_t)sqlite3_column_int64(version, 0) * 2;
        sqlite3_reset(version);
    } else if (way == 'c') valid = __atomic_load_n(counter(inode), __ATOMIC_SEQ_CST) + 2;
    typeof(cache[0]) *entry = &cache[inode % CACHED];
    if (entry->inode == inode && entry->version == valid) return entry->owner;
    int64_t owner = ask(inode);
    if (valid % 2 == 0) *entry = (typeof(*entry)){inode, owner, valid};
    return owner;
}

static void fill(int64_t files) {
    run("BEGIN");
    for (int owner = 0; owner < 10; owner++) {
        char text[100];
        snprintf(text, sizeof text, "INSERT INTO owners VALUES (%d, 'owner%d@contoso.com')", owner, owner);
        run(text);
    }
    int64_t *inodes = malloc(files * sizeof *inodes);
    for (int64_t at = 0; at < files; at++) {  // shuffled: Fisher and Yates
        int64_t other = (uint64_t)sum(at, 1, 2) % (at + 1);
        inodes[at] = inodes[other];
        inodes[other] = at + 1;
    }
    for (int64_t at = 0; at < files; at++) {
        insert(inodes[at], inodes[at] % 10);
        if (at % 100000 == 99999) run("COMMIT; BEGIN");
    }
    run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

static void wipe(const char *folder, int64_t owner, int batch, double pace) {
    char pause[4096];
    snprintf(pause, sizeof pause, "%s/pause", folder);
    sqlite3_stmt *of = prepare("SELECT inode FROM files WHERE owner = ? LIMIT ?");
    sqlite3_stmt *file = prepare("DELETE FROM files WHERE inode = ?"), *names = prepare("DELETE FROM names WHERE inode = ?");
    int64_t *inodes = malloc(batch * sizeof *inodes);
    double start = now(), busy = 0, longest = 0;
    int count, total = 0;
    do {
        while (access(pause, F_OK) == 0) usleep(1000);
        double before = now();
        step(begin);
        sqlite3_bind_int64(of, 1, owner);
        sqlite3_bind_int(of, 2, batch);
        for (count = 0; sqlite3_step(of) == SQLITE_ROW; count++) inodes[count] = sqlite3_column_int64(of, 0);
        sqlite3_reset(of);
        for (int at = 0; at < count; at++) {
            sqlite3_bind_int64(names, 1, inodes[at]);
            step(names);
            sqlite3_bind_int64(file, 1, inodes[at]);
            step(file);
            changing(inodes[at]);
        }
        step(commit);
        for (int at = 0; at < count; at++) changed(inodes[at]);
        double took = now() - before;
        busy += took;
        if (took > longest) longest = took;
        total += count;
        usleep(took * pace * 1e6);
    } while (count == batch);
    char text[100];
    snprintf(text, sizeof text, "DELETE FROM owners WHERE number = %d; PRAGMA wal_checkpoint(TRUNCATE)", (int)owner);
    run(text);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%d files in %.1f s, %.1f s of them in transactions or waiting for one, the longest %.2f s; %ld MB written\n", total,
           now() - start, busy, longest, usage.ru_oublock / 2000);
}

static void work(int writes, int64_t files) {
    double next = now() + 1, longest = 0;
    long done = 0;
    for (uint64_t at = 1;; at++, done++) {
        uint64_t random = at * 0x9E3779B97F4A7C15u >> 20;
        double before = now();
        if (writes) put_lasting(files + 1 + random % 1000, 9);
        else if (owner_of(random % (files < 100000 ? files : 100000) / 10 * 10 + 9, 'c') != 9) exit(5);
        double after = now();
        if (after - before > longest) longest = after - before;
        if (after < next) continue;
        printf("%.6f %ld %.6f\n", after, done, longest);
        fflush(stdout);
        next += 1;
        longest = 0;
    }
}

int main(int count, char **arguments) {
    if (count < 4) return 64;
    const char *mode = arguments[1], *folder = arguments[2], *how = arguments[3];
    if (!strcmp(mode, "fill")) {
        open_index(folder, how);
        fill(atoll(arguments[4]));
        return 0;
    }
    open_index(folder, 0);
    if (!strcmp(mode, "look")) {
        for (long left = atol(arguments[4]); left > 0; left--)
            if (owner_of(77, *how) != 7) return 5;
    } else if (!strcmp(mode, "wipe")) {
        wipe(folder, atoll(how), atoi(arguments[4]), atof(arguments[5]));
    } else if (!strcmp(mode, "work")) {
        work(*how == 'w', atoll(arguments[4]));
    } else if (!strcmp(mode, "answer")) {
        char line[100];
        long long inode, owner;
        while (fgets(line, sizeof line, stdin)) {
            if (sscanf(line, "put %lld %lld", &inode, &owner) == 2) put_lasting(inode, owner), puts("done");
            else if (sscanf(line, "get %lld", &inode) == 1) printf("%lld\n", (long long)owner_of(inode, *how));
            fflush(stdout);
        }
    } else return 64;
    sqlite3_close(db);
}
