import CMultiIdentity

/// The known behaviour of Swift's runtime here towards what is bound outside tasks.
package struct ConcurrencyRuntime: Sendable {
    /// True if an `isolated deinit` leaves the memory of what is bound on its thread alone.
    ///
    /// The first that had them frees a mark on the stack there if anything is bound (mended in 6.3, swiftlang/swift#85204).
    package var sparesBindings: Bool
    /// True if anybody can copy all that is bound, private task-locals too, and bind it on another thread.
    ///
    /// `TaskLocalContext` does, which Swift's main branch has.
    var copiesBindings: Bool

    /// True if a binding may outlast a piece of work: nobody may stumble over it, and nobody else bind above it.
    package var letsBindingsLast: Bool { sparesBindings && !copiesBindings }

    package static var here: ConcurrencyRuntime {
        ConcurrencyRuntime(sparesBindings: isKnownToSpareBindings, copiesBindings: mi_bindings_are_copied())
    }

    private static var isKnownToSpareBindings: Bool {
        #if canImport(Darwin)
        // The system's own runtime, whatever compiled this.
        if #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) { true } else { false }
        #elseif compiler(>=6.3)
        // Elsewhere the runtime is the compiler's.
        true
        #else
        false
        #endif
    }
}
