#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "Callers.h"
#include "Symbols.h"

struct stack {
    uintptr_t *addresses;
    size_t count, capacity;
};

static _Unwind_Reason_Code add(struct _Unwind_Context *context, void *argument) {
    struct stack *stack = argument;
    uintptr_t address = _Unwind_GetIP(context);
    if (!address || stack->count == stack->capacity) return _URC_END_OF_STACK;
    // It returns there; a call that does not return can be the last instruction of its function.
    stack->addresses[stack->count++] = address - 1;
    return _URC_NO_REASON;
}

size_t mi_callers(uintptr_t *addresses, size_t capacity) {
    struct stack stack = {addresses, 0, capacity};
    _Unwind_Backtrace(add, &stack);
    return stack.count;
}

static bool has_prefix(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

enum owner { PROGRAM, SYSTEM, PACKAGE };

static enum owner owner_of(const char *module, size_t length) {
    static const char systems[] = " Swift _Concurrency Synchronization Dispatch Foundation FoundationEssentials Testing ";
    static const char package[] =
        " MultiIdentity MultiIdentityDiagnostics MultiIdentityFoundation MultiIdentityNetworking MultiIdentityCarriers"
        " MultiIdentityLease MultiIdentityPolicy MultiIdentityFiles MultiIdentityProtection MultiIdentityManagement"
        " MultiIdentityAutomaticMode MultiIdentityDoctor MultiIdentityTesting MultiIdentityScheduling ";
    char word[64];
    if (snprintf(word, sizeof word, " %.*s ", (int)length, module) >= (int)sizeof word) return PROGRAM;
    return strstr(package, word) ? PACKAGE : strstr(systems, word) ? SYSTEM : PROGRAM;
}

/// Returns whose modules a function was written in; a thunk is the system's.
static enum owner owner_of_function(const char *name, const char *text) {
    static const char *const thunks[] = {"reabstraction thunk", "thunk for", "dispatch thunk", "protocol witness"};
    if (!has_prefix(name, "$s")) return strcmp(name, "main") == 0 || has_prefix(name, "async_Main") ? PROGRAM : SYSTEM;
    for (size_t i = 0; i < sizeof thunks / sizeof *thunks; i++)
        if (has_prefix(text, thunks[i])) return SYSTEM;
    char *module;
    size_t length = strtoul(name + 2, &module, 10);
    if (length > strlen(module)) return SYSTEM;
    if (length) return owner_of(module, length);
    // A member of another module's type.
    const char *extension = strstr(text, "(extension in ");
    return extension ? owner_of(extension + 14, strcspn(extension + 14, ")")) : SYSTEM;
}

struct mi_caller mi_caller_at(uintptr_t address) {
    struct mi_caller caller = {NULL, false, false};
    struct mi_symbol symbol = mi_symbol_at(address);
    const char *name = symbol.name ? symbol.name : "";
    caller.is_dispatch = has_prefix(symbol.image, "libdispatch") || has_prefix(name, "_dispatch_") || has_prefix(name, "dispatch_");
    enum owner owner = symbol.name ? owner_of_function(name, symbol.text) : symbol.is_program ? PROGRAM : SYSTEM;
    caller.is_package = owner == PACKAGE;
    if (owner == PROGRAM) caller.name = strdup(symbol.text);
    mi_symbol_free(symbol);
    return caller;
}

const char *dispatch_queue_get_label(void *queue);
const char *mi_queue_label(void) {
    const char *label = dispatch_queue_get_label(NULL);
    return label ? label : "";
}
