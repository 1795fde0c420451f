import CMultiIdentity
import Synchronization

/// A name between two of its revocations: all that captures for work that runs once have to know of their identity.
///
/// One for each scope, shared by what is captured in it. Such work is counted while it waits by the box that it waits in
/// (``WorkBox``), and while it runs by a place that its thread alone writes to.
final class IdentityLife: Sendable {
    private let record: IdentityRecord
    let generation: UInt32

    init(of record: IdentityRecord, _ generation: UInt32) {
        self.record = record
        self.generation = generation
    }

    @inline(__always)
    func captureBegins() { record.captureBegins() }

    @inline(__always)
    func captureEnds() { record.captureEnds() }

    /// Begins work of this life on this thread, which runs no task, where it may begin and nothing else of the kind runs.
    ///
    /// After it, ``workEnds()``; the binding that shows the identity meanwhile is that of the capture.
    @inline(__always)
    static func workBegins(of life: Unmanaged<IdentityLife>) -> Bool {
        guard let place = place ?? makePlace(), place.pointee.load(ordering: .relaxed) == 0 else { return false }
        // Who revokes a name and then counts its work finds this, or else this finds the revocation: all four sequentially
        // consistent.
        let tally = life._withUnsafeGuaranteedRef { life in
            place.pointee.store(life.owner, ordering: .sequentiallyConsistent)
            return WorkTally(word: life.record.work.load(ordering: .sequentiallyConsistent))
        }
        if !tally.keepsOut(life._withUnsafeGuaranteedRef { $0.generation }) { return true }
        place.pointee.store(0, ordering: .releasing)
        return false
    }

    /// Ends it; there is no place any more where the thread exited in the midst of it.
    @inline(__always)
    static func workEnds() { place?.pointee.store(0, ordering: .releasing) }

    /// True if such work runs on this very thread, outside tasks.
    var isHere: Bool { !mi_task_runs() && Self.place?.pointee.load(ordering: .relaxed) == owner }

    /// The reason why its owner was revoked since, unless the code that asks is work that began before.
    var revocationHere: IdentityRevocation.Reason? {
        let tally = record.tally
        return tally.keepsOut(generation) && !isHere ? tally.reason : nil
    }

    private var owner: UInt { record.address }

    /// The place of this thread: the first word of what C keeps for it, which both read and write as an atomic word.
    @inline(__always)
    private static var place: UnsafeMutablePointer<Atomic<UInt>>? {
        guard let place = mi_thread_current().pointee.in_flight else { return nil }
        return UnsafeMutableRawPointer(place).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    @inline(never)
    private static func makePlace() -> UnsafeMutablePointer<Atomic<UInt>>? {
        mi_in_flight_make()
        return place
    }
}

extension IdentityRecord {
    /// To be compared only.
    fileprivate var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

    /// The number of threads on which handed-over work of it runs, besides what the tally counts.
    var threadsInFlight: Int { Int(mi_in_flight_count(address)) }
}
