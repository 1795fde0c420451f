// Tells callgrind which part of a program it is to count, when it is started with --instr-atstart=no.
#ifndef C_COUNTED_PART_H
#define C_COUNTED_PART_H

/// Nothing where the program was built without valgrind's headers, or does not run under it.
void counted_part_begins(void);
void counted_part_ends(void);

#endif
