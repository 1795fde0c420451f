// The targets that this package supports, by the size of their words.
#ifndef C_MULTI_IDENTITY_WORD_H
#define C_MULTI_IDENTITY_WORD_H

#include <stdint.h>

// A snapshot is one word whose two lowest bits are free, and the mirror keeps marks in them. With words of 32 bits Swift
// stores the case of an enum there, as on Apple Watches before Series 9 (arm64_32): one identity would be mistaken for
// another, or for memory. Such a program is therefore not built.
_Static_assert(sizeof(void *) == 8, "swift-multi-identity needs words of 64 bits: here it would mix identities up.");

#endif
