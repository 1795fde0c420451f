import CMultiIdentity

/// A box with one piece of work and whom it is for, in one allocation, to be run once: what a C function of libdispatch is
/// given.
///
/// It is memory of its own and no object: making and freeing an object takes a hundred instructions more at each hop.
struct WorkBox: ~Copyable, @unchecked Sendable {
    // `@unchecked Sendable`: there is one owner, the value is not copyable, and what it points to is `Sendable`.

    private struct Contents {
        /// First, so that its bits are where the memory begins.
        var snapshot: IdentitySnapshot
        var job: Job
    }

    private struct Job {
        let boundary: IdentityBoundary
        let work: @Sendable () -> Void
    }

    private let contents: UnsafeMutablePointer<Contents>

    @inline(__always)
    init(_ work: @escaping @Sendable () -> Void, _ captured: consuming BoundaryCapture) {
        contents = mi_allocate(MemoryLayout<Contents>.size).assumingMemoryBound(to: Contents.self)
        let job = Job(boundary: captured.boundary, work: work)
        contents.initialize(to: Contents(snapshot: captured.snapshot, job: job))
    }

    /// Work that is dropped before it has run is released with what was captured for it.
    deinit {
        contents.deinitialize(count: 1)
        free(contents)
    }

    /// Runs the work as the captured identity; both are let go of as soon as it has run, outside its scope.
    @inline(__always)
    consuming func run() {
        let contents = contents
        discard self
        // Moved out and not copied, so that there is nothing to be released but what was captured: the job by Swift, the
        // snapshot's reference with its bits.
        let bits = UnsafeRawPointer(contents).load(as: UInt.self)
        let job = withUnsafeMutablePointer(to: &contents.pointee.job) { $0.move() }
        free(contents)
        if BindingFeatures.restoresArePlain {
            IdentitySnapshot.bind(takingOver: bits) { job.work() }
        } else if BindingFeatures.restoresAreLight {
            Self.restoreLightly(bits, job)
        } else {
            Self.restoreObserved(bits, job)
        }
    }

    @inline(never)
    private static func restoreLightly(_ bits: UInt, _ job: consuming Job) {
        if BindingFeatures.inUse.contains(.counters) {
            ThreadMirror.snapshot(of: bits ^ ThreadMirror.bitsOfNothing).countRestore(at: job.boundary)
        }
        IdentitySnapshot.bind(takingOver: bits) {
            // The binding keeps it meanwhile.
            ThreadMirror.snapshot(of: bits ^ ThreadMirror.bitsOfNothing).bindCompanions(for: job.work)
        }
    }

    @inline(never)
    private static func restoreObserved(_ bits: UInt, _ job: consuming Job) {
        BoundaryCapture(of: IdentitySnapshot(takingOver: bits), at: job.boundary).restore(job.work)
    }

    /// Gives the memory up to C, which hands it to ``runGivenUp`` once.
    @inline(__always)
    consuming func givenUp() -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer(contents)
        discard self
        return memory
    }

    private init(givenUp memory: UnsafeMutableRawPointer) {
        contents = memory.assumingMemoryBound(to: Contents.self)
    }

    /// The function that libdispatch calls, once, with what was given up.
    static let runGivenUp: @convention(c) (UnsafeMutableRawPointer?) -> Void = { memory in
        if let memory { WorkBox(givenUp: memory).run() }
    }
}
