import Dispatch
import MultiIdentityTesting

#if os(Linux)
import CDispatch
import Glibc

extension PlainBoundary {
    /// Handlers that are C functions, of sources that C code makes, captured when they are set.
    static let functions: [PlainBoundary] = [
        function("event") { source, function in
            dispatch_source_set_event_handler_f(source, function)
        } fire: { source in
            dispatch_resume(dispatch_object_t(_ds: source))
            dispatch_source_merge_data(source, 1)
        },
        function("cancel") { source, function in
            dispatch_source_set_cancel_handler_f(source, function)
        } fire: { source in
            dispatch_resume(dispatch_object_t(_ds: source))
            dispatch_source_cancel(source)
        },
        function("registration") { source, function in
            dispatch_source_set_registration_handler_f(source, function)
        } fire: { source in
            dispatch_resume(dispatch_object_t(_ds: source))
        },
    ]

    private static func function(
        _ name: String,
        set: @escaping @Sendable (dispatch_source_t, @escaping dispatch_function_t) -> Void,
        fire: @escaping @Sendable (dispatch_source_t) -> Void
    ) -> PlainBoundary {
        registered("source: \(name), a C function") { work in
            nonisolated(unsafe) let source = make()
            // The function finds the source's context, which can therefore be set afterwards.
            set(source) { context in
                guard let context else { return }
                let call = Unmanaged<Call>.fromOpaque(context).takeRetainedValue()
                call.work()
                dispatch_source_cancel(call.source)
            }
            let call = Unmanaged.passRetained(Call(source, work))
            dispatch_set_context(dispatch_object_t(_ds: source), call.toOpaque())
            return { fire(source) }
        }
    }

    /// Returns a source that is cancelled and never released, since Swift does not allow a manual release.
    private static func make() -> dispatch_source_t {
        guard let type = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "_dispatch_source_type_data_add") else {
            preconditionFailure("libdispatch lacks sources.")
        }
        return dispatch_source_create(OpaquePointer(type), 0, 0, dispatch_queue_create("functions", nil))
    }
}

/// The context of a source's C function.
private final class Call {
    let source: dispatch_source_t
    let work: PlainBoundary.Work

    init(_ source: dispatch_source_t, _ work: @escaping PlainBoundary.Work) {
        self.source = source
        self.work = work
    }
}
#else
extension PlainBoundary {
    static let functions: [PlainBoundary] = []
}
#endif
