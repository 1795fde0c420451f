import CDispatch
import CFloor
import Dispatch
import Glibc

/// The cheapest hop that still carries: what it costs nobody can go below, who hands work over as Dispatch wants it and has
/// plain tasks inherit.
///
/// Whom the thread works for is read from one word of the thread's, retained once, taken along in memory that the hop needs
/// anyhow where there is any, bound by the runtime's own push and pop, and shown on the worker meanwhile. Nothing else is
/// done: nobody asks whether a task runs, whether the same is bound already, whether anybody watches, or what Dispatch's
/// objects are made of.
enum Floor {
    private static let store = TaskLocal<User?>(wrappedValue: nil)

    /// Binds `user` around the calls of a case.
    static func with(_ user: User, _ body: () -> Void) {
        let key = UnsafeRawPointer(Unmanaged.passUnretained(store).toOpaque())
        floor_make_known(key, unsafeBitCast(User?.self as Any.Type, to: UnsafeRawPointer.self))
        store.withValue(user) {
            floor_set_current(Unmanaged.passUnretained(user).toOpaque())
            body()
            floor_set_current(nil)
        }
    }

    /// The current user, with a reference.
    @inline(__always)
    static func captured() -> Unmanaged<User>? {
        floor_get_current().map { Unmanaged<User>.fromOpaque($0).retain() }
    }

    /// Runs `work` as `user`, whose reference the binding takes over.
    @inline(never)
    static func run(_ user: Unmanaged<User>?, _ work: () -> Void) {
        let pointer = user.map { UnsafeRawPointer($0.toOpaque()) }
        floor_set_current(pointer)
        floor_push(pointer)
        work()
        floor_set_current(nil)
        floor_pop()
    }

    /// A closure around `work`, which may be called any number of times.
    @inline(never)
    static func wrap(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let user = captured()?.takeRetainedValue()
        return { run(user.map { .passRetained($0) }, work) }
    }

    /// Memory for one piece of work, as C is given it.
    private struct Box {
        let user: Unmanaged<User>?
        let work: @Sendable () -> Void
    }

    @inline(__always)
    private static func box(_ work: @escaping @Sendable () -> Void) -> UnsafeMutableRawPointer? {
        guard let memory = malloc(MemoryLayout<Box>.size) else { return nil }
        memory.assumingMemoryBound(to: Box.self).initialize(to: Box(user: captured(), work: work))
        return memory
    }

    private static let runBox: dispatch_function_t = { memory in
        guard let memory else { return }
        let box = memory.assumingMemoryBound(to: Box.self).move()
        free(memory)
        run(box.user, box.work)
    }

    /// Hands `work` over to a queue of this handle.
    @inline(never)
    static func async(_ queue: OpaquePointer, _ work: @escaping @Sendable () -> Void) {
        dispatch_async_f(queue, box(work), runBox)
    }

    /// Has `work` run on a queue when a group is empty.
    @inline(never)
    static func notify(_ group: OpaquePointer, _ queue: OpaquePointer, _ work: @escaping @Sendable () -> Void) {
        dispatch_group_notify_f(group, queue, box(work), runBox)
    }

    /// The C handle in an object of Dispatch's; the package reads it after a trial, here it is taken for granted.
    static func handle(of object: AnyObject) -> OpaquePointer {
        let header = 2 * MemoryLayout<UnsafeRawPointer>.size
        return Unmanaged.passUnretained(object).toOpaque().load(fromByteOffset: header, as: OpaquePointer.self)
    }
}
