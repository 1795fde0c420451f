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
        var snapshot: IdentitySnapshot
        var job: Job
        /// True if this memory is the frame's, which the snapshot keeps.
        let isInFrame: Bool
    }

    private struct Job {
        let boundary: IdentityBoundary
        /// True if the capture counts for its identity, until the work has run or is dropped.
        let isCounted: Bool
        let work: @Sendable () -> Void
    }

    private let contents: UnsafeMutablePointer<Contents>

    @inline(__always)
    init(_ work: @escaping @Sendable () -> Void, _ capture: consuming OneShotCapture) {
        precondition(MemoryLayout<Contents>.size <= MemoryLayout<HopFrame.Room>.size, "A hop's frame is too small.")
        let memory = capture.room ?? mi_allocate(MemoryLayout<Contents>.size)
        contents = memory.assumingMemoryBound(to: Contents.self)
        let job = Job(boundary: capture.boundary, isCounted: capture.isCounted, work: work)
        contents.initialize(to: Contents(snapshot: capture.snapshot, job: job, isInFrame: capture.room != nil))
    }

    /// Work that is dropped before it has run is released with what was captured for it.
    deinit {
        if contents.pointee.job.isCounted {
            contents.pointee.snapshot.frame?.ongoing?._withUnsafeGuaranteedRef { $0.captureEnds() }
        }
        // Moved out first: what the memory is in may go with what is there.
        let contents = contents.move()
        if !contents.isInFrame { free(self.contents) }
    }

    /// Runs the work as the captured identity; both are let go of as soon as it has run, outside its scope.
    @inline(__always)
    consuming func run() {
        let contents = contents
        discard self
        if BindingFeatures.boxedRestoresArePlain {
            let (bits, job) = Self.emptied(contents)
            IdentitySnapshot.bind(takingOver: bits) { job.work() }
        } else {
            Self.restoreOtherwise(contents)
        }
    }

    /// Moves out what is there, and not a copy, so that there is nothing to be released but what was captured: the job by
    /// Swift, the snapshot's reference with its bits.
    @inline(__always)
    private static func emptied(_ contents: UnsafeMutablePointer<Contents>) -> (bits: UInt, job: Job) {
        let bits = UnsafeRawPointer(contents).load(as: UInt.self)
        let job = withUnsafeMutablePointer(to: &contents.pointee.job) { $0.move() }
        if !contents.pointee.isInFrame { free(contents) }
        return (bits, job)
    }

    @inline(never)
    private static func restoreOtherwise(_ contents: UnsafeMutablePointer<Contents>) {
        if contents.pointee.job.isCounted {
            let (bits, job) = emptied(contents)
            return restoreCounted(bits, job)
        }
        let bits = UnsafeRawPointer(contents).load(as: UInt.self)
        guard BindingFeatures.restoresOnlyLend, let values = companionBytes(of: bits),
            IdentitySnapshot.enterWork(takingOver: bits, lending: values)
        else {
            let (bits, job) = emptied(contents)
            return BindingFeatures.restoresOnlyNote ? restoreNoted(bits, job) : restoreFurther(bits, job)
        }
        let (_, job) = emptied(contents)
        IdentitySnapshot.leaveWork(lent: values) { job.work() }
    }

    /// The values of companions in what these bits stand for, which somebody keeps meanwhile.
    @inline(__always)
    private static func companionBytes(of bits: UInt) -> UnsafePointer<mi_companion_values>? {
        ThreadMirror.frame(of: bits ^ ThreadMirror.bitsOfNothing)?._withUnsafeGuaranteedRef { $0.companionBytes }
    }

    @inline(never)
    private static func restoreFurther(_ bits: UInt, _ job: consuming Job) {
        if BindingFeatures.restoresArePlain {
            IdentitySnapshot.bind(takingOver: bits) { job.work() }
        } else if BindingFeatures.oneShotRestoresOnlyNote, ThreadMirror.isClear,
            ThreadMirror.snapshot(of: bits ^ ThreadMirror.bitsOfNothing).isOfNobodyAlone
        {
            // No life to belong to, and no work around it.
            restoreNoted(bits, job)
        } else {
            restoreObserved(bits, job)
        }
    }

    @inline(__always)
    private static func restoreCounted(_ bits: UInt, _ job: consuming Job) {
        // The reference that goes with the bits keeps it.
        guard
            let work = ThreadMirror.frame(of: bits ^ ThreadMirror.bitsOfNothing)?._withUnsafeGuaranteedRef(\.ongoing)
        else {
            preconditionFailure("Only what was captured in counted work is counted.")
        }
        guard BindingFeatures.oneShotRestoresOnlyNote, ThreadMirror.isClear, OngoingWork.handedOverBegins(from: work)
        else {
            return restoreCountedOtherwise(work.takeUnretainedValue(), bits, job)
        }
        if BindingFeatures.inUse.isDisjoint(with: .noted) {
            IdentitySnapshot.bindWhereClear(takingOver: bits) {
                job.work()
                work._withUnsafeGuaranteedRef { $0.captureEnds() }
            }
        } else {
            restoreCountedAndNoted(work.takeUnretainedValue(), bits, job)
        }
        OngoingWork.handedOverEnds()
    }

    @inline(never)
    private static func restoreCountedOtherwise(_ work: OngoingWork, _ bits: UInt, _ job: consuming Job) {
        restoreObserved(bits, job)
        work.captureEnds()
    }

    @inline(never)
    private static func restoreCountedAndNoted(_ work: OngoingWork, _ bits: UInt, _ job: consuming Job) {
        restoreNoted(bits, job)
        work.captureEnds()
    }

    /// Counts the restore, notes the work as running and binds companions, each as far as it is asked for.
    @inline(__always)
    private static func restoreNoted(_ bits: UInt, _ job: consuming Job) {
        // By the bits: the binding has their reference meanwhile, and one more would cost as much as all else here.
        let (captured, taskRuns, features) = (bits ^ ThreadMirror.bitsOfNothing, mi_task_runs(), BindingFeatures.inUse)
        if features.contains(.counters) { IdentitySnapshot.countRestore(of: captured, at: job.boundary) }
        let ticket = RunningWork.enter(captured, by: job.boundary, isInTask: taskRuns, keptBy: .binding)
        IdentitySnapshot.bind(takingOver: bits, taskRuns: taskRuns) {
            if features.contains(.companions) {
                bindCompanions(of: captured, job.work)
            } else {
                job.work()
            }
            ticket?.leave()  // before the binding lets go
        }
    }

    @inline(never)
    private static func bindCompanions(of captured: UInt, _ work: () -> Void) {
        guard let frame = ThreadMirror.frame(of: captured) else { return work() }
        frame._withUnsafeGuaranteedRef { $0.bindCompanions(for: work) }
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
