// The system calls of the policies, files and wipes, as one set for all platforms, and the C library's own names, so that no
// Swift file has to know which library it is.
//
// Each returns what the call does, or the negated error number, so that nothing between the call and its caller can
// change the error; calls that a signal interrupts are made again. Descriptors are closed when a program is executed.
#ifndef C_SYSTEM_CALLS_H
#define C_SYSTEM_CALLS_H

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#endif

/// A purpose that a descriptor is opened for.
enum sys_access {
    sys_access_read,
    /// As sys_access_read, and a symbolic link at the end of the path is followed.
    sys_access_read_following,
    sys_access_read_write,
    /// As sys_access_read_write, and every write goes to the end.
    sys_access_append,
    /// Created, and an error where there is something by that name.
    sys_access_create,
    sys_access_directory,
};

/// The kind of thing that a name stands for.
enum sys_kind { sys_kind_unknown, sys_kind_file, sys_kind_folder, sys_kind_symbolic_link, sys_kind_socket, sys_kind_other };

struct sys_status {
    uint64_t device;
    uint64_t inode;
    uint64_t size;
    int64_t born_seconds;
    uint32_t born_nanoseconds;
    /// Indicates whether the file system tells when a file was made; the two above are 0 where not.
    uint32_t is_birth_known;
    /// When its content was written last.
    int64_t written_seconds;
    uint32_t written_nanoseconds;
    /// When its content, its names or what is known of it changed last.
    int64_t changed_seconds;
    uint32_t changed_nanoseconds;
    uint64_t link_count;
    uint32_t user;
    uint32_t group;
    /// The permission bits alone.
    uint32_t mode;
    enum sys_kind kind;
};

/// Relative to a directory, the last component not followed. Pass sys_here for a path of the process.
int sys_open(int directory, const char *path, enum sys_access access, uint32_t mode);
/// As sys_open, but no component leads out of the directory; links that stay inside are followed.
/// -ENOSYS where the system cannot.
int sys_open_beneath(int directory, const char *path, enum sys_access access, uint32_t mode);
/// A file without a name, or -EOPNOTSUPP where the system or the file system has none.
int sys_open_unnamed(int directory, uint32_t mode);
int sys_name_unnamed(int file, int directory, const char *name);
int sys_duplicate(int descriptor);
void sys_close(int descriptor);

ssize_t sys_read(int file, void *bytes, size_t count);
ssize_t sys_read_at(int file, void *bytes, size_t count, uint64_t offset);
ssize_t sys_write(int file, const void *bytes, size_t count);
ssize_t sys_write_at(int file, const void *bytes, size_t count, uint64_t offset);
int sys_synchronize(int file);
/// Has each write go to the end from now on.
int sys_append(int file);
int sys_truncate(int file, uint64_t size);
/// Has the disk keep room behind the file's end, by which the file does not grow.
int sys_reserve(int file, uint64_t offset, uint64_t length);
int64_t sys_seek(int file, int64_t offset);
int sys_change_mode(int file, uint32_t mode);
int sys_change_owner(int file, uint32_t user, uint32_t group);
/// An exclusive lock, at once or -EWOULDBLOCK.
int sys_lock(int file);
int sys_unlock(int file);

int sys_status(int file, struct sys_status *status);
/// Of a name in a directory, a symbolic link not followed.
int sys_status_at(int directory, const char *path, struct sys_status *status);
/// Of what a path of the process leads to.
int sys_status_of(const char *path, struct sys_status *status);
/// A path of the process without links, to be freed; null with the error number where there is nothing by that name.
char *sys_real_path(const char *path, int *error);

ssize_t sys_get_attribute(int file, const char *name, void *value, size_t size);
/// Of a path of the process, a symbolic link at its end not followed: one system call.
ssize_t sys_get_attribute_of(const char *path, const char *name, void *value, size_t size);
/// Of a name in a directory.
ssize_t sys_get_attribute_at(int directory, const char *entry, const char *name, void *value, size_t size);
int sys_set_attribute(int file, const char *name, const void *value, size_t size);
int sys_remove_attribute(int file, const char *name);
/// Returns whether an error says that there is no such attribute.
int sys_is_no_attribute(int error);
/// Returns whether an error says that a value is longer than there is room for.
int sys_is_too_long(int error);
/// Returns whether an error says that the file system has no such call.
int sys_is_not_offered(int error);
/// Returns whether an error says that the file system keeps no attributes.
int sys_is_no_attributes(int error);

int sys_rename(int from, const char *name, int to, const char *new_name);
/// -EEXIST where something has the new name; -EINVAL where the file system cannot.
int sys_rename_new(int from, const char *name, int to, const char *new_name);
int sys_link(int from, const char *name, int to, const char *new_name);
int sys_unlink(int directory, const char *name);
int sys_make_directory(int directory, const char *name, uint32_t mode);
int sys_remove_directory(int directory, const char *name);

/// The names in a directory; the descriptor stays the caller's.
typedef struct sys_listing sys_listing;
int sys_list(int directory, sys_listing **listing);
/// 1 with the next name, 0 at the end; never "." or "..".
int sys_next(sys_listing *listing, const char **name, enum sys_kind *kind);
void sys_end_listing(sys_listing *listing);

/// The directory of a path of the process.
extern const int sys_here;

/// Listens on a socket with this name, which is made for the process's user alone; -EADDRINUSE where something has the name.
int sys_listen(const char *path);
/// A connection that is waiting, no call on which blocks; -EWOULDBLOCK where there is none.
int sys_accept(int listener);
/// Connects to the socket with this name; -ECONNREFUSED where nobody listens there. Each call on it ends after some seconds.
int sys_connect(const char *path);
/// Tells the user of the process at the other end.
int sys_user_of_peer(int connection, uint32_t *user);
/// Sends some of the bytes; -EPIPE, and no signal, where nobody reads.
ssize_t sys_send(int connection, const void *bytes, size_t count);

/// Starts a thread that nobody waits for; 0, or the negated error number where there is none left.
int sys_start_thread(void *(*body)(void *argument), void *argument);
/// Leaves this thread the least share beside others that there is, for good: not nothing, so that it ends on a busy machine too.
void sys_give_way(void);

/// The room that the text of a time takes.
enum { sys_time_text_size = 64 };

/// Writes the time of day as RFC 3339 does, in UTC with milliseconds.
void sys_time_text(char *text);
/// Writes a time, in milliseconds since 1970, likewise; one of another year than 0000 to 9999 as the number that it is.
void sys_time_text_of(int64_t milliseconds, char *text);

/// The milliseconds since the machine was started, with those that it slept: nobody sets them.
int64_t sys_ticks(void);
/// The room that the name of a start takes.
enum { sys_boot_name_size = 40 };
/// Writes a name that the machine has until it is started again; an empty one where the system gives it none.
void sys_boot_name(char *name);

#endif
