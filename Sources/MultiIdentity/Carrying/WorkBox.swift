import CMultiIdentity

/// A box with one piece of work and whom it is for, in one allocation, to be run once: what a C function of libdispatch is
/// given.
///
/// It is memory of its own and no object: making and freeing an object takes a hundred instructions more at each hop. Where a
/// hop is noted there is an object, its frame, and the box is memory in that (``HopFrame``).
struct WorkBox: ~Copyable, @unchecked Sendable {
    // `@unchecked Sendable`: there is one owner, the value is not copyable, and what it points to is `Sendable`.

    private struct Contents {
        /// First, so that its bits are where the memory begins.
        let captured: BoundaryCapture
        var job: Job
    }

    /// A type of its own: a closure that is moved by itself is made anew, as generic code has it.
    private struct Job {
        let work: @Sendable () -> Void
    }

    private let contents: UnsafeMutablePointer<Contents>

    @inline(__always)
    init(_ work: @escaping @Sendable () -> Void, _ captured: consuming BoundaryCapture) {
        let memory = captured.room ?? mi_allocate(MemoryLayout<Contents>.size)
        contents = memory.assumingMemoryBound(to: Contents.self)
        contents.initialize(to: Contents(captured: captured, job: Job(work: work)))
    }

    /// Work that is dropped before it has run is released with what was captured for it.
    deinit {
        // Moved out first: what the memory is in may go with what is there.
        let captured = contents.move().captured
        if !captured.hasRoom { free(contents) }
        if captured.isCounted { captured.snapshot.frame?.endCapture(isCounted: true) }
    }

    /// Gives the memory up to C, which hands it to ``runGivenUp`` once.
    consuming func givenUp() -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer(contents)
        discard self
        return memory
    }

    /// The function that libdispatch calls, once, with what was given up.
    ///
    /// The work, and the identity that it runs as, are let go of as soon as it has run, outside its scope.
    static let runGivenUp: @convention(c) (UnsafeMutableRawPointer?) -> Void = { memory in
        guard let contents = memory?.assumingMemoryBound(to: Contents.self) else { return }
        let (boundary, isCounted) = (contents.pointee.captured.boundary, contents.pointee.captured.isCounted)
        // Moved out, and not a copy, so that there is nothing to be released but what was captured: the work by Swift, the
        // snapshot's reference with its bits.
        let bits = UnsafeRawPointer(contents).load(as: UInt.self)
        let job = withUnsafeMutablePointer(to: &contents.pointee.job) { $0.move() }
        if !contents.pointee.captured.hasRoom { free(contents) }
        if case .plain = Route.here {
            IdentitySnapshot.bind(takingOver: bits) { job.work() }
        } else {
            runObserved(bits, at: boundary, as: isCounted ? .countedInBox : .inBox, job)
        }
    }

    // Takes the work over: else each call of it would take a reference more.
    @inline(never)
    private static func runObserved(
        _ bits: UInt,
        at boundary: IdentityBoundary,
        as use: IdentitySnapshot.Use,
        _ job: consuming Job
    ) {
        IdentitySnapshot.runObserved(takingOver: bits, at: boundary, as: use) { job.work() }
    }
}
