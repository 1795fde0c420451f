#define _GNU_SOURCE
#include "CSystemCalls.h"
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>

#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#else
#include <sys/sysctl.h>
#endif

const int sys_here = AT_FDCWD;

#define AGAIN(call)                          \
    ({                                       \
        __typeof__(call) result;             \
        do {                                 \
            result = (call);                 \
        } while (result < 0 && errno == EINTR); \
        result < 0 ? -errno : result;        \
    })

static int flags_of(enum sys_access access) {
    // Not blocking, since a pipe that somebody put there would have us wait; it means nothing for files.
    int flags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    switch (access) {
    case sys_access_read:
    case sys_access_read_following: return flags | O_RDONLY;
    case sys_access_read_write: return flags | O_RDWR;
    case sys_access_append: return flags | O_RDWR | O_APPEND;
    case sys_access_create: return flags | O_RDWR | O_CREAT | O_EXCL;
    case sys_access_directory: return flags | O_RDONLY | O_DIRECTORY;
    }
    return flags;
}

int sys_open(int directory, const char *path, enum sys_access access, uint32_t mode) {
    int flags = flags_of(access) | (access == sys_access_read_following ? 0 : O_NOFOLLOW);
    return AGAIN(openat(directory, path, flags, (mode_t)mode));
}

int sys_open_beneath(int directory, const char *path, enum sys_access access, uint32_t mode) {
#if defined(__linux__) && defined(SYS_openat2)
    struct open_how how = {
        .flags = (uint64_t)flags_of(access),
        .mode = access == sys_access_create ? mode : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    int result;
    // EAGAIN: something was renamed while the path was walked, and the kernel cannot tell whether it led out.
    for (int i = 0; i < 128; i++) {
        result = (int)AGAIN(syscall(SYS_openat2, directory, path, &how, sizeof how));
        if (result != -EAGAIN) break;
    }
    return result;
#else
    (void)directory, (void)path, (void)access, (void)mode;
    return -ENOSYS;
#endif
}

int sys_open_unnamed(int directory, uint32_t mode) {
#if defined(__linux__) && defined(O_TMPFILE)
    int result = AGAIN(openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, (mode_t)mode));
    // What kernels and file systems without it answer.
    return result == -EISDIR || result == -ENOENT || result == -EINVAL ? -EOPNOTSUPP : result;
#else
    (void)directory, (void)mode;
    return -EOPNOTSUPP;
#endif
}

int sys_name_unnamed(int file, int directory, const char *name) {
#ifdef __linux__
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return AGAIN(linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW));
#else
    (void)file, (void)directory, (void)name;
    return -ENOSYS;
#endif
}

int sys_duplicate(int descriptor) { return AGAIN(fcntl(descriptor, F_DUPFD_CLOEXEC, 0)); }

void sys_close(int descriptor) { close(descriptor); }

ssize_t sys_read(int file, void *bytes, size_t count) { return AGAIN(read(file, bytes, count)); }

ssize_t sys_read_at(int file, void *bytes, size_t count, uint64_t offset) {
    return AGAIN(pread(file, bytes, count, (off_t)offset));
}

ssize_t sys_write(int file, const void *bytes, size_t count) { return AGAIN(write(file, bytes, count)); }

ssize_t sys_write_at(int file, const void *bytes, size_t count, uint64_t offset) {
    return AGAIN(pwrite(file, bytes, count, (off_t)offset));
}

int sys_synchronize(int file) {
#ifdef F_FULLFSYNC
    // Elsewhere `fsync` is enough; here it leaves the bytes in the drive's cache.
    int result = AGAIN(fcntl(file, F_FULLFSYNC));
    if (result >= 0) return 0;
#endif
    return AGAIN(fsync(file));
}

int sys_append(int file) {
    int flags = AGAIN(fcntl(file, F_GETFL));
    return flags < 0 ? flags : AGAIN(fcntl(file, F_SETFL, flags | O_APPEND));
}

int sys_truncate(int file, uint64_t size) { return AGAIN(ftruncate(file, (off_t)size)); }

int sys_reserve(int file, uint64_t offset, uint64_t length) {
#ifdef __linux__
    return AGAIN(fallocate(file, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)length));
#else
    // What is allocated ends where the room that was asked for before does.
    (void)offset;
    fstore_t room = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, (off_t)length, 0};
    return AGAIN(fcntl(file, F_PREALLOCATE, &room));
#endif
}

int64_t sys_seek(int file, int64_t offset) { return AGAIN((int64_t)lseek(file, (off_t)offset, SEEK_SET)); }

int sys_change_mode(int file, uint32_t mode) { return AGAIN(fchmod(file, (mode_t)mode)); }

int sys_change_owner(int file, uint32_t user, uint32_t group) { return AGAIN(fchown(file, user, group)); }

int sys_lock(int file) { return AGAIN(flock(file, LOCK_EX | LOCK_NB)); }

int sys_unlock(int file) { return AGAIN(flock(file, LOCK_UN)); }

static enum sys_kind kind_of(mode_t mode) {
    if (S_ISREG(mode)) return sys_kind_file;
    if (S_ISDIR(mode)) return sys_kind_folder;
    if (S_ISLNK(mode)) return sys_kind_symbolic_link;
    return S_ISSOCK(mode) ? sys_kind_socket : sys_kind_other;
}

#ifdef __linux__
static int status_of(int file, const char *path, int flags, struct sys_status *status) {
    struct statx found;
    int result = AGAIN(statx(file, path, flags, STATX_BASIC_STATS | STATX_BTIME, &found));
    if (result < 0) return result;
    int is_birth_known = (found.stx_mask & STATX_BTIME) != 0;
    *status = (struct sys_status){
        .device = makedev(found.stx_dev_major, found.stx_dev_minor),
        .inode = found.stx_ino,
        .size = found.stx_size,
        .born_seconds = is_birth_known ? found.stx_btime.tv_sec : 0,
        .born_nanoseconds = is_birth_known ? found.stx_btime.tv_nsec : 0,
        .is_birth_known = (uint32_t)is_birth_known,
        .written_seconds = found.stx_mtime.tv_sec,
        .written_nanoseconds = found.stx_mtime.tv_nsec,
        .changed_seconds = found.stx_ctime.tv_sec,
        .changed_nanoseconds = found.stx_ctime.tv_nsec,
        .link_count = found.stx_nlink,
        .user = found.stx_uid,
        .group = found.stx_gid,
        .mode = found.stx_mode & 07777u,
        .kind = kind_of(found.stx_mode),
    };
    return 0;
}

int sys_status(int file, struct sys_status *status) {
    return status_of(file, "", AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, status);
}

int sys_status_at(int directory, const char *path, struct sys_status *status) {
    return status_of(directory, path, AT_SYMLINK_NOFOLLOW, status);
}

int sys_status_of(const char *path, struct sys_status *status) { return status_of(AT_FDCWD, path, 0, status); }
#else
static int taken(int result, const struct stat *found, struct sys_status *status) {
    if (result < 0) return result;
    *status = (struct sys_status){
        .device = (uint64_t)found->st_dev,
        .inode = found->st_ino,
        .size = (uint64_t)found->st_size,
#ifdef __APPLE__
        .born_seconds = found->st_birthtimespec.tv_sec,
        .born_nanoseconds = (uint32_t)found->st_birthtimespec.tv_nsec,
        .is_birth_known = 1,
        .written_seconds = found->st_mtimespec.tv_sec,
        .written_nanoseconds = (uint32_t)found->st_mtimespec.tv_nsec,
        .changed_seconds = found->st_ctimespec.tv_sec,
        .changed_nanoseconds = (uint32_t)found->st_ctimespec.tv_nsec,
#else
        .written_seconds = found->st_mtim.tv_sec,
        .written_nanoseconds = (uint32_t)found->st_mtim.tv_nsec,
        .changed_seconds = found->st_ctim.tv_sec,
        .changed_nanoseconds = (uint32_t)found->st_ctim.tv_nsec,
#endif
        .link_count = found->st_nlink,
        .user = found->st_uid,
        .group = found->st_gid,
        .mode = found->st_mode & 07777u,
        .kind = kind_of(found->st_mode),
    };
    return 0;
}

int sys_status(int file, struct sys_status *status) {
    struct stat found;
    return taken(AGAIN(fstat(file, &found)), &found, status);
}

int sys_status_at(int directory, const char *path, struct sys_status *status) {
    struct stat found;
    return taken(AGAIN(fstatat(directory, path, &found, AT_SYMLINK_NOFOLLOW)), &found, status);
}

int sys_status_of(const char *path, struct sys_status *status) {
    struct stat found;
    return taken(AGAIN(stat(path, &found)), &found, status);
}
#endif

char *sys_real_path(const char *path, int *error) {
    char *found = realpath(path, NULL);
    *error = found ? 0 : errno;
    return found;
}

#ifdef __APPLE__
ssize_t sys_get_attribute(int file, const char *name, void *value, size_t size) {
    return AGAIN(fgetxattr(file, name, value, size, 0, 0));
}

ssize_t sys_get_attribute_of(const char *path, const char *name, void *value, size_t size) {
    return AGAIN(getxattr(path, name, value, size, 0, XATTR_NOFOLLOW));
}

int sys_set_attribute(int file, const char *name, const void *value, size_t size) {
    return AGAIN(fsetxattr(file, name, value, size, 0, 0));
}

int sys_remove_attribute(int file, const char *name) { return AGAIN(fremovexattr(file, name, 0)); }

int sys_is_no_attribute(int error) { return error == ENOATTR; }
#else
ssize_t sys_get_attribute(int file, const char *name, void *value, size_t size) {
    return AGAIN(fgetxattr(file, name, value, size));
}

ssize_t sys_get_attribute_of(const char *path, const char *name, void *value, size_t size) {
    return AGAIN(lgetxattr(path, name, value, size));
}

int sys_set_attribute(int file, const char *name, const void *value, size_t size) {
    return AGAIN(fsetxattr(file, name, value, size, 0));
}

int sys_remove_attribute(int file, const char *name) { return AGAIN(fremovexattr(file, name)); }

int sys_is_no_attribute(int error) { return error == ENODATA; }
#endif

int sys_is_too_long(int error) { return error == ERANGE; }

int sys_is_not_offered(int error) { return error == EINVAL || error == ENOSYS; }

int sys_is_no_attributes(int error) { return error == ENOTSUP || error == EOPNOTSUPP; }

ssize_t sys_get_attribute_at(int directory, const char *entry, const char *name, void *value, size_t size) {
#ifdef __linux__
    char path[NAME_MAX + 64];
    int length = snprintf(path, sizeof path, "/proc/self/fd/%d/%s", directory, entry);
    if (length > 0 && (size_t)length < sizeof path) {
        ssize_t result = sys_get_attribute_of(path, name, value, size);
        if (result != -ENOENT) return result;  // else there may be no /proc
    }
#endif
    int file = sys_open(directory, entry, sys_access_read, 0);
    if (file < 0) return file;
    ssize_t result = sys_get_attribute(file, name, value, size);
    close(file);
    return result;
}

int sys_rename(int from, const char *name, int to, const char *new_name) {
    return AGAIN(renameat(from, name, to, new_name));
}

int sys_rename_new(int from, const char *name, int to, const char *new_name) {
#if defined(__linux__)
    int result = (int)AGAIN(syscall(SYS_renameat2, from, name, to, new_name, 1u /* RENAME_NOREPLACE */));
    return result == -ENOSYS ? -EINVAL : result;
#elif defined(__APPLE__)
    int result = AGAIN(renameatx_np(from, name, to, new_name, RENAME_EXCL));
    return result == -ENOTSUP ? -EINVAL : result;
#else
    (void)from, (void)name, (void)to, (void)new_name;
    return -EINVAL;
#endif
}

int sys_link(int from, const char *name, int to, const char *new_name) {
    return AGAIN(linkat(from, name, to, new_name, 0));
}

int sys_unlink(int directory, const char *name) { return AGAIN(unlinkat(directory, name, 0)); }

int sys_make_directory(int directory, const char *name, uint32_t mode) {
    return AGAIN(mkdirat(directory, name, (mode_t)mode));
}

int sys_remove_directory(int directory, const char *name) { return AGAIN(unlinkat(directory, name, AT_REMOVEDIR)); }

struct sys_listing {
    DIR *entries;
};

int sys_list(int directory, sys_listing **listing) {
    // A descriptor of its own: a duplicate would share its place with the caller's.
    int own = sys_open(directory, ".", sys_access_directory, 0);
    if (own < 0) return own;
    DIR *entries = fdopendir(own);
    sys_listing *made = entries ? malloc(sizeof *made) : NULL;
    if (!made) {
        int error = errno;
        if (entries) closedir(entries); else close(own);
        return error ? -error : -ENOMEM;
    }
    made->entries = entries;
    *listing = made;
    return 0;
}

int sys_next(sys_listing *listing, const char **name, enum sys_kind *kind) {
    while (1) {
        errno = 0;
        struct dirent *entry = readdir(listing->entries);
        if (!entry) return -errno;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        *name = entry->d_name;
        switch (entry->d_type) {
        case DT_REG: *kind = sys_kind_file; break;
        case DT_DIR: *kind = sys_kind_folder; break;
        case DT_LNK: *kind = sys_kind_symbolic_link; break;
        case DT_UNKNOWN: *kind = sys_kind_unknown; break;
        default: *kind = sys_kind_other; break;
        }
        return 1;
    }
}

void sys_end_listing(sys_listing *listing) {
    closedir(listing->entries);
    free(listing);
}

int sys_start_thread(void *(*body)(void *argument), void *argument) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, body, argument);
    if (error == 0) pthread_detach(thread);
    return -error;
}

void sys_give_way(void) {
#ifdef __APPLE__
    pthread_set_qos_class_self_np(QOS_CLASS_BACKGROUND, 0);
#else
    // Of this thread alone, on Linux (source: setpriority(2), "C library/kernel differences").
    setpriority(PRIO_PROCESS, 0, 19);
#endif
}

void sys_time_text(char *text) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    sys_time_text_of((int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000, text);
}

void sys_time_text_of(int64_t milliseconds, char *text) {
    int64_t rest = (milliseconds % 1000 + 1000) % 1000;
    time_t seconds = milliseconds / 1000 - (milliseconds % 1000 < 0);
    struct tm parts;
    size_t count = gmtime_r(&seconds, &parts) ? strftime(text, sys_time_text_size, "%Y-%m-%dT%H:%M:%S", &parts) : 0;
    // A year of more than four digits has no such text.
    if (count != 19) snprintf(text, sys_time_text_size, "%lld ms", (long long)milliseconds);
    else snprintf(text + count, sys_time_text_size - count, ".%03dZ", (int)rest);
}

int64_t sys_ticks(void) {
    struct timespec now;
#ifdef __linux__
    clock_gettime(CLOCK_BOOTTIME, &now);
#else
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
#endif
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void sys_boot_name(char *name) {
    memset(name, 0, sys_boot_name_size);
#ifdef __linux__
    int file = sys_open(sys_here, "/proc/sys/kernel/random/boot_id", sys_access_read, 0);
    if (file < 0) return;
    // 36 characters and the end of a line.
    if (sys_read(file, name, sys_boot_name_size - 1) != 37) *name = 0;
    name[36] = 0;
    sys_close(file);
#else
    size_t size = sys_boot_name_size;
    if (sysctlbyname("kern.bootsessionuuid", name, &size, NULL, 0) != 0) *name = 0;
#endif
}

static int address_of(const char *path, struct sockaddr_un *address) {
    if (strlen(path) >= sizeof address->sun_path) return -ENAMETOOLONG;
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(address->sun_path, path, strlen(path));
    return 0;
}

static int new_socket(void) {
#ifdef SOCK_CLOEXEC
    return AGAIN(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
#else
    int made = AGAIN(socket(AF_UNIX, SOCK_STREAM, 0));
    if (made >= 0) fcntl(made, F_SETFD, FD_CLOEXEC);
    return made;
#endif
}

/// Has reading, sending and connecting end, so that nobody at the other end holds this one up.
static void set_limits(int connection) {
    struct timeval limit = {.tv_sec = 10};
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
#ifdef SO_NOSIGPIPE
    int on = 1;
    setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
}

int sys_listen(const char *path) {
    struct sockaddr_un address;
    int result = address_of(path, &address);
    if (result < 0) return result;
    int made = new_socket();
    if (made < 0) return made;
    // Before it has a name, of which Linux gives it this mode; elsewhere behind, and who connected between is asked who it is.
    fchmod(made, 0600);
    result = AGAIN(bind(made, (struct sockaddr *)&address, sizeof address));
    if (result >= 0) {
        result = AGAIN(chmod(path, 0600));
        if (result >= 0) result = AGAIN(listen(made, 16));
        if (result >= 0) result = AGAIN(fcntl(made, F_SETFL, O_NONBLOCK));
        if (result < 0) unlink(path);
    }
    if (result >= 0) return made;
    close(made);
    return result;
}

int sys_accept(int listener) {
    int made = AGAIN(accept(listener, NULL, NULL));
    if (made < 0) return made;
    fcntl(made, F_SETFD, FD_CLOEXEC);
    fcntl(made, F_SETFL, O_NONBLOCK);
    set_limits(made);
    return made;
}

int sys_connect(const char *path) {
    struct sockaddr_un address;
    int result = address_of(path, &address);
    if (result < 0) return result;
    int made = new_socket();
    if (made < 0) return made;
    set_limits(made);
    result = AGAIN(connect(made, (struct sockaddr *)&address, sizeof address));
    if (result >= 0) return made;
    close(made);
    return result;
}

int sys_user_of_peer(int connection, uint32_t *user) {
#ifdef SO_PEERCRED
    struct ucred found;
    socklen_t size = sizeof found;
    int result = AGAIN(getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &found, &size));
    if (result >= 0) *user = found.uid;
    return result;
#else
    gid_t group;
    uid_t found;
    int result = AGAIN(getpeereid(connection, &found, &group));
    if (result >= 0) *user = found;
    return result;
#endif
}

ssize_t sys_send(int connection, const void *bytes, size_t count) {
#ifdef MSG_NOSIGNAL
    return AGAIN(send(connection, bytes, count, MSG_NOSIGNAL));
#else
    return AGAIN(send(connection, bytes, count, 0));
#endif
}
