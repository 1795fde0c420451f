import CMultiIdentity
import Synchronization

// Work that runs once, and was captured in this work: it shares this and the frame, and belongs to the same life of the name.
// While it waits, its box counts it (``WorkBox``); while it runs, a slot that only its thread writes to.
extension OngoingWork {
    func captureBegins() { record.captureBegins() }

    func captureEnds() { record.captureEnds() }

    /// Begins work that was captured in this, on this thread, if the thread runs no task and no other such work, and the work may begin.
    ///
    /// Call ``handedOverEnds()`` afterwards; the binding that shows the identity in the meantime is that of the capture.
    @inline(__always)
    static func handedOverBegins(from work: Borrowed<OngoingWork>) -> Bool {
        guard let place = place ?? makePlace(), place.pointee.load(ordering: .relaxed) == 0 else { return false }
        // Either code that revokes a name and then counts its work sees this, or this sees the revocation: all four accesses
        // are sequentially consistent.
        let tally = work.read { work in
            place.pointee.store(work.record.address, ordering: .sequentiallyConsistent)
            return WorkTally(word: work.record.work.load(ordering: .sequentiallyConsistent))
        }
        if !tally.keepsOut(work.read { $0.generation }) { return true }
        place.pointee.store(0, ordering: .releasing)
        return false
    }

    /// Ends it; there is no slot any more if the thread exited in the middle of it.
    static func handedOverEnds() { place?.pointee.store(0, ordering: .releasing) }

    /// True if such work runs on this very thread, outside tasks.
    var handedOverIsHere: Bool { !mi_task_runs() && Self.place?.pointee.load(ordering: .relaxed) == record.address }

    /// This thread's slot: the first word of its storage in C, which both languages access as an atomic word.
    private static var place: UnsafeMutablePointer<Atomic<UInt>>? {
        guard let place = mi_thread_current().pointee.in_flight else { return nil }
        return UnsafeMutableRawPointer(place).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    @inline(never) @discardableResult
    private static func makePlace() -> UnsafeMutablePointer<Atomic<UInt>>? {
        mi_in_flight_make { OngoingWork.endHere() }
        return place
    }

    /// Ends the open work on this thread with the thread, if it exits in the middle of that work.
    static func endWithThread() { if place == nil { makePlace() } }
}

extension IdentityRecord {
    /// Only for comparison.
    var address: UInt { UInt(bitPattern: Borrowed(self).address) }

    /// The number of threads on which its handed-over work runs, in addition to the tally's count.
    var threadsInFlight: Int { Int(mi_in_flight_count(address)) }
}
