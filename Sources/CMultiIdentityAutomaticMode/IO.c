#include <sys/types.h>

#include "Handing.h"

#if defined(__linux__)
// Handlers of channels, reads and writes, captured when requested; destructors of data, captured when the data are made.

typedef void (^mi_read_handler)(void *data, int error);
typedef void (^mi_io_handler)(bool is_done, void *data, int error);
typedef void (^mi_cleanup)(int error);

MI_ENTRY dispatch_read(int descriptor, size_t length, void *queue, mi_read_handler handler) {
    RETURN_IF_TRIED(read);
    if (BLOCK_GOES_AS_IT_IS(handler)) return NEXT(read)(descriptor, length, queue, handler);
    void *kept = mi_keep(mi_automatic_io_read, queue, handler, mi_signature_read);
    NEXT(read)(descriptor, length, queue, kept);
    _Block_release(kept);
}

MI_ENTRY dispatch_write(int descriptor, void *data, void *queue, mi_read_handler handler) {
    RETURN_IF_TRIED(write);
    if (BLOCK_GOES_AS_IT_IS(handler)) return NEXT(write)(descriptor, data, queue, handler);
    void *kept = mi_keep(mi_automatic_io_write, queue, handler, mi_signature_read);
    NEXT(write)(descriptor, data, queue, kept);
    _Block_release(kept);
}

MI_ENTRY_OF(void *) dispatch_io_create(unsigned long type, int descriptor, void *queue, mi_cleanup cleanup) {
    NOTE_IF_TRIED(io_create);
    if (!cleanup || BLOCK_GOES_AS_IT_IS(cleanup)) return NEXT(io_create)(type, descriptor, queue, cleanup);
    void *kept = mi_keep(mi_automatic_io_cleanup, queue, cleanup, mi_signature_error);
    void *channel = NEXT(io_create)(type, descriptor, queue, kept);
    _Block_release(kept);
    return channel;
}

MI_ENTRY_OF(void *)
dispatch_io_create_with_path(
    unsigned long type, const char *path, int flags, mode_t mode, void *queue, mi_cleanup cleanup
) {
    NOTE_IF_TRIED(io_create_with_path);
    if (!cleanup || BLOCK_GOES_AS_IT_IS(cleanup)) return NEXT(io_create_with_path)(type, path, flags, mode, queue, cleanup);
    void *kept = mi_keep(mi_automatic_io_cleanup, queue, cleanup, mi_signature_error);
    void *channel = NEXT(io_create_with_path)(type, path, flags, mode, queue, kept);
    _Block_release(kept);
    return channel;
}

MI_ENTRY_OF(void *) dispatch_io_create_with_io(unsigned long type, void *io, void *queue, mi_cleanup cleanup) {
    NOTE_IF_TRIED(io_create_with_io);
    if (!cleanup || BLOCK_GOES_AS_IT_IS(cleanup)) return NEXT(io_create_with_io)(type, io, queue, cleanup);
    void *kept = mi_keep(mi_automatic_io_cleanup, queue, cleanup, mi_signature_error);
    void *channel = NEXT(io_create_with_io)(type, io, queue, kept);
    _Block_release(kept);
    return channel;
}

MI_ENTRY dispatch_io_read(void *channel, off_t offset, size_t length, void *queue, mi_io_handler handler) {
    RETURN_IF_TRIED(io_read);
    if (BLOCK_GOES_AS_IT_IS(handler)) return NEXT(io_read)(channel, offset, length, queue, handler);
    void *kept = mi_keep(mi_automatic_io_read, queue, handler, mi_signature_io);
    NEXT(io_read)(channel, offset, length, queue, kept);
    _Block_release(kept);
}

MI_ENTRY dispatch_io_write(void *channel, off_t offset, void *data, void *queue, mi_io_handler handler) {
    RETURN_IF_TRIED(io_write);
    if (BLOCK_GOES_AS_IT_IS(handler)) return NEXT(io_write)(channel, offset, data, queue, handler);
    void *kept = mi_keep(mi_automatic_io_write, queue, handler, mi_signature_io);
    NEXT(io_write)(channel, offset, data, queue, kept);
    _Block_release(kept);
}

MI_ENTRY dispatch_io_barrier(void *channel, mi_block barrier) {
    RETURN_IF_TRIED(io_barrier);
    if (BLOCK_GOES_AS_IT_IS(barrier)) return NEXT(io_barrier)(channel, barrier);
    void *kept = mi_keep(mi_automatic_io_barrier, NULL, barrier, mi_signature_plain);
    NEXT(io_barrier)(channel, kept);
    _Block_release(kept);
}

// libdispatch's own destructors are markers, which it compares and never calls.
extern mi_block const _dispatch_data_destructor_free, _dispatch_data_destructor_munmap, _dispatch_data_destructor_none;

static bool is_mark(mi_block destructor) {
    return !destructor || destructor == _dispatch_data_destructor_free ||
        destructor == _dispatch_data_destructor_munmap || destructor == _dispatch_data_destructor_none;
}

MI_ENTRY_OF(void *) dispatch_data_create(const void *buffer, size_t size, void *queue, mi_block destructor) {
    NOTE_IF_TRIED(data_create);
    if (is_mark(destructor) || BLOCK_GOES_AS_IT_IS(destructor)) return NEXT(data_create)(buffer, size, queue, destructor);
    void *kept = mi_keep(mi_automatic_data_deallocator, queue, destructor, mi_signature_plain);
    void *data = NEXT(data_create)(buffer, size, queue, kept);
    _Block_release(kept);
    return data;
}
#endif
