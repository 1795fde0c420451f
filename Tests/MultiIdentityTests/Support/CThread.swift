import Foundation

/// A C function that takes a callback and a context, and calls back on its own thread.
enum CThread {
    typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

    /// Starts a detached thread that calls `body` with `context`.
    static func start(_ context: UnsafeMutableRawPointer, _ body: Body) {
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let refusal = pthread_create(&thread, nil, body, context)
        precondition(refusal == 0, "No thread could be started: \(refusal).")
        #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
    }
}
