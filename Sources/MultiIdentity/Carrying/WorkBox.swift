import CMultiIdentity

/// A box with one piece of work and its identity, in one allocation, to be run once: the argument of a C function of libdispatch.
///
/// It is plain memory and no object: creating and freeing an object takes a hundred instructions more at each hop. If the hop
/// is recorded, the hop's frame is an object anyway, and the box is memory inside it (``HopFrame``).
struct WorkBox: ~Copyable, @unchecked Sendable {
    // `@unchecked Sendable`: there is one owner, the value is not copyable, and what it points to is `Sendable`.

    private struct Contents {
        /// First, so that its bits are at the start of the memory.
        let captured: BoundaryCapture
        var job: Job
    }

    /// A separate type: generic code creates a new closure when it moves one by itself.
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

    /// Work that is dropped before it has run is released with its capture.
    deinit {
        // Moved out first: the memory of the box may be freed with its contents.
        let captured = contents.move().captured
        if !captured.hasRoom { free(contents) }
        if captured.isCounted { captured.snapshot.frame?.endCapture(isCounted: true) }
    }

    /// Passes the memory to C, which passes it to ``runGivenUp`` once.
    consuming func givenUp() -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer(contents)
        discard self
        return memory
    }

    /// The function that libdispatch calls, once, with that memory.
    ///
    /// The work and its identity are released as soon as the work has run, outside its scope.
    static let runGivenUp: @convention(c) (UnsafeMutableRawPointer?) -> Void = { memory in
        guard let contents = memory?.assumingMemoryBound(to: Contents.self) else { return }
        let details = contents.pointee.captured.details
        // Moved out rather than copied, so that only the captures need a release: Swift releases the work, and the bits carry
        // the snapshot's reference.
        let bits = UnsafeRawPointer(contents).load(as: UInt.self)
        let job = withUnsafeMutablePointer(to: &contents.pointee.job) { $0.move() }
        if !details.hasRoom { free(contents) }
        if Route.isPlainForWork {
            IdentitySnapshot.bind(takingOver: bits) { job.work() }
        } else if case .plain = Route.here {
            runShown(bits, job)
        } else {
            runObserved(bits, details, job)
        }
    }

    /// Runs it as plainly, but shown to profilers.
    @inline(never)
    private static func runShown(_ bits: UInt, _ job: consuming Job) {
        let captured = bits ^ ThreadMirror.bitsOfNothing
        // Inside the binding, which keeps the identity alive, and so its record.
        IdentitySnapshot.bind(takingOver: bits) {
            let outer = mi_thread_context_shown()
            ThreadContext.show(captured, ThreadMirror.frame(of: captured))
            job.work()
            mi_thread_context_show(outer)
        }
    }

    // Consumes the work: otherwise each call of it would retain it again.
    @inline(never)
    private static func runObserved(_ bits: UInt, _ details: BoundaryCapture.Details, _ job: consuming Job) {
        IdentitySnapshot.runObserved(
            takingOver: bits,
            at: details.boundary,
            as: details.isCounted ? .countedInBox : .inBox,
            after: details.handedOver
        ) { job.work() }
    }
}
