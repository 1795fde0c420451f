// System calls that Swift's overlay of the C library does not name.
#ifndef C_MULTI_IDENTITY_FILES_H
#define C_MULTI_IDENTITY_FILES_H

#include <stddef.h>
#include <sys/types.h>
#include <sys/xattr.h>

#endif
