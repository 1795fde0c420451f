#if defined(__linux__)
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Entries.h"

// Finds functions' names in the files that they were loaded from: `dladdr` knows only those that a program exports.

static int find_image(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    struct mi_symbol *symbol = context;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD) continue;
        if (symbol->offset - (object->dlpi_addr + segment->p_vaddr) >= segment->p_memsz) continue;
        symbol->offset -= object->dlpi_addr;
        strncpy(symbol->image, object->dlpi_name, sizeof symbol->image - 1);
        return 1;
    }
    return 0;
}

/// Returns whether a file has all of a section.
static bool has(size_t size, const ElfW(Shdr) *section) {
    return section->sh_offset <= size && section->sh_size <= size - section->sh_offset;
}

/// Returns the name of the function that an offset is in.
static const char *name_in(const char *file, size_t size, uintptr_t offset) {
    const ElfW(Ehdr) *header = (const void *)file;
    if (size < sizeof *header || memcmp(file, ELFMAG, SELFMAG) != 0 || header->e_shoff > size ||
        header->e_shnum > (size - header->e_shoff) / sizeof(ElfW(Shdr)))
        return NULL;
    const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff), *end = sections + header->e_shnum;
    for (const ElfW(Shdr) *table = sections; table < end; table++) {
        // A stripped file has only the latter.
        if (table->sh_type != SHT_SYMTAB && table->sh_type != SHT_DYNSYM) continue;
        const ElfW(Shdr) *names = &sections[table->sh_link];
        if (table->sh_link >= header->e_shnum || !has(size, table) || !has(size, names) || names->sh_size == 0 ||
            file[names->sh_offset + names->sh_size - 1] != 0)
            continue;
        const ElfW(Sym) *symbol = (const void *)(file + table->sh_offset);
        for (size_t left = table->sh_size / sizeof *symbol; left > 0; left--, symbol++)
            if ((symbol->st_info & 15) == STT_FUNC && offset - symbol->st_value < symbol->st_size &&
                symbol->st_name < names->sh_size)
                return file + names->sh_offset + symbol->st_name;
    }
    return NULL;
}

__attribute__((weak)) char *swift_demangle(const char *name, size_t length, char *output, size_t *size, uint32_t flags);

static char *name_in_file(const char *path, uintptr_t offset) {
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return NULL;
    size_t size = fstat(descriptor, &status) == 0 ? (size_t)status.st_size : 0;
    const char *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);  // fails without a size
    close(descriptor);
    if (file == MAP_FAILED) return NULL;
    const char *name = name_in(file, size, offset);
    char *text = name && swift_demangle ? swift_demangle(name, strlen(name), NULL, NULL, 0) : NULL;
    if (name && !text) text = strdup(name);
    munmap((void *)file, size);
    return text;
}

struct mi_symbol mi_symbol_find(const void *address) {
    struct mi_symbol symbol = {.offset = (uintptr_t)address};
    if (!dl_iterate_phdr(find_image, &symbol)) return symbol;
    // The loader's name of the program itself is empty.
    bool is_program = !symbol.image[0];
    symbol.name = name_in_file(is_program ? "/proc/self/exe" : symbol.image, symbol.offset);
    if (is_program) (void)!readlink("/proc/self/exe", symbol.image, sizeof symbol.image - 1);
    return symbol;
}
#endif
