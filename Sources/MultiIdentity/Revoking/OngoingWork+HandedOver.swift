import CMultiIdentity
import Synchronization

// Work that runs once, as it was captured in this work: it shares this, and with it the frame, and belongs to the same life of
// the name. It is counted while it waits by the box that it waits in (``WorkBox``), and while it runs by a place that its thread
// alone writes to.
extension OngoingWork {
    func captureBegins() { record.captureBegins() }

    func captureEnds() { record.captureEnds() }

    /// Begins work that was captured in this on this thread, which runs no task, where it may begin and nothing else of the
    /// kind runs.
    ///
    /// After it, ``handedOverEnds()``; the binding that shows the identity meanwhile is that of the capture.
    @inline(__always)
    static func handedOverBegins(from work: Borrowed<OngoingWork>) -> Bool {
        guard let place = place ?? makePlace(), place.pointee.load(ordering: .relaxed) == 0 else { return false }
        // Who revokes a name and then counts its work finds this, or else this finds the revocation: all four sequentially
        // consistent.
        let tally = work.read { work in
            place.pointee.store(work.record.address, ordering: .sequentiallyConsistent)
            return WorkTally(word: work.record.work.load(ordering: .sequentiallyConsistent))
        }
        if !tally.keepsOut(work.read { $0.generation }) { return true }
        place.pointee.store(0, ordering: .releasing)
        return false
    }

    /// Ends it; there is no place any more where the thread exited in the midst of it.
    static func handedOverEnds() { place?.pointee.store(0, ordering: .releasing) }

    /// True if such work runs on this very thread, outside tasks.
    var handedOverIsHere: Bool { !mi_task_runs() && Self.place?.pointee.load(ordering: .relaxed) == record.address }

    /// The place of this thread: the first word of what C keeps for it, which both read and write as an atomic word.
    private static var place: UnsafeMutablePointer<Atomic<UInt>>? {
        guard let place = mi_thread_current().pointee.in_flight else { return nil }
        return UnsafeMutableRawPointer(place).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    @inline(never) @discardableResult
    private static func makePlace() -> UnsafeMutablePointer<Atomic<UInt>>? {
        mi_in_flight_make { OngoingWork.endHere() }
        return place
    }

    /// Has what is open on this thread end with it, should it exit in the midst of that.
    static func endWithThread() { if place == nil { makePlace() } }
}

extension IdentityRecord {
    /// To be compared only.
    var address: UInt { UInt(bitPattern: Borrowed(self).address) }

    /// The number of threads on which handed-over work of it runs, besides what the tally counts.
    var threadsInFlight: Int { Int(mi_in_flight_count(address)) }
}
