#if defined(__linux__)
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#endif
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Symbols.h"

static bool has_prefix(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

#if defined(__linux__)
static bool is_program(const Dl_info *object) {
    uintptr_t headers = getauxval(AT_PHDR);  // in the program's first page
    return headers && (uintptr_t)object->dli_fbase == (headers & ~(uintptr_t)4095);
}

/// Returns whether it is the symbol that is sought.
typedef bool is_sought(const ElfW(Sym) *symbol, const char *name, const void *context);

static char *name_in(const char *file, size_t size, is_sought *is_sought, const void *context) {
    const ElfW(Ehdr) *header = (const void *)file;
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return NULL;
    if (header->e_shoff > size || (size - header->e_shoff) / sizeof(ElfW(Shdr)) < header->e_shnum) return NULL;
    const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
    for (size_t i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
        ElfW(Shdr) table = sections[i], names = sections[table.sh_link];
        if (table.sh_offset > size || table.sh_size > size - table.sh_offset) return NULL;
        if (names.sh_offset > size || names.sh_size > size - names.sh_offset) return NULL;
        const ElfW(Sym) *symbol = (const void *)(file + table.sh_offset);
        for (size_t left = table.sh_size / sizeof *symbol; left > 0; left--, symbol++) {
            if (symbol->st_name >= names.sh_size) continue;
            const char *name = file + names.sh_offset + symbol->st_name;
            if (is_sought(symbol, name, context)) return strndup(name, names.sh_size - symbol->st_name);
        }
    }
    return NULL;
}

static void *map_file(const char *path, size_t *size) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0) return NULL;
    void *bytes = fstat(file, &status) == 0 && status.st_size > 0
        ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0)
        : MAP_FAILED;
    close(file);
    *size = (size_t)status.st_size;
    return bytes == MAP_FAILED ? NULL : bytes;
}

static bool is_function_at(const ElfW(Sym) *symbol, const char *name, const void *context) {
    uintptr_t value = *(const uintptr_t *)context;
    return (symbol->st_info & 15) == STT_FUNC && value - symbol->st_value < symbol->st_size;
}

// A program exports few of its functions; the table of all is in its file, unless it was stripped.
static char *name_in_file(const Dl_info *object, uintptr_t address) {
    size_t size;
    void *bytes = map_file(is_program(object) ? "/proc/self/exe" : object->dli_fname, &size);
    if (!bytes) return NULL;
    bool is_movable = ((const ElfW(Ehdr) *)object->dli_fbase)->e_type == ET_DYN;
    uintptr_t value = address - (is_movable ? (uintptr_t)object->dli_fbase : 0);
    char *name = name_in(bytes, size, is_function_at, &value);
    munmap(bytes, size);
    return name;
}

/// A value that a global variable has, and the loaded file in which the variable is sought.
struct global {
    uintptr_t value;
    const struct dl_phdr_info *file;
    char *name;
};

static bool is_global_with_value(const ElfW(Sym) *symbol, const char *name, const void *context) {
    const struct global *global = context;
    if ((symbol->st_info & 15) != STT_OBJECT || symbol->st_size != sizeof(uintptr_t) || !has_prefix(name, "$s")) return false;
    for (int i = 0; i < global->file->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &global->file->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W) || symbol->st_value % sizeof(uintptr_t) != 0) continue;
        if (symbol->st_value < part->p_vaddr || symbol->st_value - part->p_vaddr > part->p_memsz - sizeof(uintptr_t)) continue;
        return *(const uintptr_t *)(global->file->dlpi_addr + symbol->st_value) == global->value;
    }
    return false;
}

static int seek_global(struct dl_phdr_info *file, size_t unused, void *context) {
    struct global *global = context;
    global->file = file;
    size_t size;
    void *bytes = map_file(file->dlpi_name[0] ? file->dlpi_name : "/proc/self/exe", &size);
    if (!bytes) return 0;
    global->name = name_in(bytes, size, is_global_with_value, global);
    munmap(bytes, size);
    return global->name != NULL;
}

static char *name_of_global(uintptr_t value) {
    struct global global = {value, NULL, NULL};
    dl_iterate_phdr(seek_global, &global);
    return global.name;
}
#else
static bool is_program(const Dl_info *object) { return false; }
static char *name_in_file(const Dl_info *object, uintptr_t address) { return NULL; }
static char *name_of_global(uintptr_t value) { return NULL; }
#endif

/// The Swift runtime's entry. Weak: without it, names stay as the linker knows them.
__attribute__((weak)) char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);

/// Returns a name without what the compiler did to the function.
static const char *plain(const char *text) {
    const char *part = strstr(text, "resume partial function for ");
    if (part && text[0] == '(') text = part + strlen("resume partial function for ");
    // An optimised closure is part of what calls it.
    static const char *const prefixes[][2] = {
        {"merged ", " "}, {"partial apply ", " for "},
        {"generic specialization <", "> of "}, {"function signature specialization <", "> of "},
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const char *end = has_prefix(text, prefixes[i][0]) ? strstr(text, prefixes[i][1]) : NULL;
        if (!end) continue;
        text = end + strlen(prefixes[i][1]);
        i = (size_t)-1;  // there can be several
    }
    return text;
}

/// Removes the marks by which private declarations of several files differ: `(send in _37ECD2DF)` becomes `send`.
static void remove_marks(char *text) {
    for (char *mark; (mark = strstr(text, " in _"));) {
        char *begin = mark, *end = strchr(mark, ')');
        while (begin > text && *begin != '(') begin--;
        if (*begin != '(' || !end) return;
        memmove(begin, begin + 1, mark - begin - 1);
        memmove(mark - 1, end + 1, strlen(end + 1) + 1);
    }
}

struct mi_symbol mi_symbol_at(uintptr_t address) {
    struct mi_symbol symbol = {NULL, NULL, "", false};
    Dl_info object;
    if (!dladdr((const void *)address, &object) || !object.dli_fname) return symbol;
    const char *slash = strrchr(object.dli_fname, '/');
    symbol.image = slash ? slash + 1 : object.dli_fname;
    symbol.is_program = is_program(&object);
    symbol.name = object.dli_sname ? strdup(object.dli_sname) : name_in_file(&object, address);
    if (!symbol.name) {
        if (asprintf(&symbol.text, "%s+0x%lx", symbol.image, (unsigned long)(address - (uintptr_t)object.dli_fbase)) < 0)
            symbol.text = NULL;
        return symbol;
    }
    char *text = swift_demangle ? swift_demangle(symbol.name, strlen(symbol.name), NULL, NULL, 0) : NULL;
    symbol.text = strdup(plain(text ? text : symbol.name));
    remove_marks(symbol.text);
    free(text);
    return symbol;
}

char *mi_symbol_of_task_local(const void *object) {
    char *name = name_of_global((uintptr_t)object);
    char *text = name && swift_demangle ? swift_demangle(name, strlen(name), NULL, NULL, 0) : NULL;
    free(name);
    char *type = text ? strstr(text, " : Swift.TaskLocal<") : NULL;
    if (!type) return free(text), NULL;
    *type = 0;
    if (has_prefix(text, "static ")) memmove(text, text + strlen("static "), strlen(text + strlen("static ")) + 1);
    remove_marks(text);
    return text;
}

void mi_symbol_free(struct mi_symbol symbol) {
    free(symbol.name);
    free(symbol.text);
}
