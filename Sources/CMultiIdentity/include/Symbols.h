// What the code at an address is called: for findings and lists, and nothing that runs often.
#ifndef C_MULTI_IDENTITY_SYMBOLS_H
#define C_MULTI_IDENTITY_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

/// The function that an address is in, and the file that it was loaded from.
struct mi_symbol {
    /// As the linker knows it; null if it is not known.
    char *_Nullable name;
    /// As a person writes it; without a name, the file and the address in it. Null if there is no file.
    char *_Nullable text;
    /// The file's name, without its folder.
    const char *_Nonnull image;
    /// True if the file is the program itself.
    bool is_program;
};

/// Finds the function in the table of its file, since a program exports few of its functions.
struct mi_symbol mi_symbol_at(uintptr_t address);

/// Returns the name of the global variable that has this task-local, such as `App.Request.$log`, to be freed; null without symbols.
char *_Nullable mi_symbol_of_task_local(const void *_Nonnull object);

void mi_symbol_free(struct mi_symbol symbol);

#endif
