import CMultiIdentity

/// The known behavior of this Swift runtime towards bindings outside tasks.
package struct ConcurrencyRuntime: Sendable {
    /// True if an `isolated deinit` leaves the memory of its thread's bindings alone.
    ///
    /// The first runtimes with `isolated deinit` free a marker on the stack if anything is bound there (fixed in 6.3,
    /// swiftlang/swift#85204).
    package var sparesBindings: Bool
    /// True if any code can copy all bindings, including private task-locals, and bind them on another thread.
    ///
    /// `TaskLocalContext` on Swift's main branch does so.
    var copiesBindings: Bool

    /// True if a binding may outlast a piece of work: nothing breaks on it, and no other code binds above it.
    package var letsBindingsLast: Bool { sparesBindings && !copiesBindings }

    package static var here: ConcurrencyRuntime {
        ConcurrencyRuntime(sparesBindings: isKnownToSpareBindings, copiesBindings: mi_bindings_are_copied())
    }

    private static var isKnownToSpareBindings: Bool {
        #if canImport(Darwin)
        // The runtime is the system's, whichever compiler was used.
        if #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) { true } else { false }
        #elseif compiler(>=6.3)
        // Elsewhere the runtime comes with the compiler.
        true
        #else
        false
        #endif
    }
}
