// What protecting a file comes down to, as somebody would write it in C with the same library and for the same form.
#ifndef C_FILE_LOOP_H
#define C_FILE_LOOP_H

#include <stdint.h>

/// Encrypts the file `from` into a new file, in segments of 64 KiB, 256 KiB at a time, and gives it the name `to`; 0, or
/// the number of the step that failed.
int file_loop_protect(const char *from, const char *folder, const char *to);

/// The most memory that the process has had, in bytes.
int64_t file_loop_peak_memory(void);

#endif
