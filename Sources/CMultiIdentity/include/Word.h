// What targets this package is for, by the size of their words.
#ifndef C_MULTI_IDENTITY_WORD_H
#define C_MULTI_IDENTITY_WORD_H

#include <stdint.h>

// A snapshot is one word with its two lowest bits free, and the mirror keeps marks in them. With words of 32 bits Swift
// keeps there which case an enum is, as on Apple Watches before Series 9 (arm64_32): one identity would be taken for
// another, or for memory. So such a program is not built.
_Static_assert(sizeof(void *) == 8, "swift-multi-identity needs words of 64 bits: here it would mix identities up.");

#endif
