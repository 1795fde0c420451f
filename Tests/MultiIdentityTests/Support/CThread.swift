import Foundation

/// A C function that takes a callback and a context, and calls back on its own thread.
enum CThread {
    typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

    /// Starts a detached thread that calls `body` with `context`.
    static func start(_ context: UnsafeMutableRawPointer, _ body: Body) { pthread_detach(create(context, body)) }

    /// Calls `body` with `context` on its own thread, and returns when the thread has ended, including its destructors.
    static func run(_ context: UnsafeMutableRawPointer?, _ body: Body) {
        let end = pthread_join(create(context, body), nil)
        precondition(end == 0, "The thread could not be joined: \(end).")
    }

    private static func create(_ context: UnsafeMutableRawPointer?, _ body: Body) -> pthread_t {
        #if canImport(Darwin)
        var created: pthread_t?
        #else
        var created = pthread_t()
        #endif
        let refusal = pthread_create(&created, nil, body, context)
        precondition(refusal == 0, "No thread could be started: \(refusal).")
        #if canImport(Darwin)
        return created.unsafelyUnwrapped
        #else
        return created
        #endif
    }
}
