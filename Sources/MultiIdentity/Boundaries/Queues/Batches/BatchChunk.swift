/// A stretch of the list of a queue that drains its work in batches.
///
/// `@unchecked Sendable`: constant, but for `next` and what stands in its places. Those are written under the list's lock
/// by who adds work, before the tally is changed with release; and read by the queue's worker, who has loaded that tally
/// with acquire. From then on they are the worker's, until it lays the chunk by, with release, for somebody who adds and
/// takes it with acquire.
final class BatchChunk: @unchecked Sendable {
    /// A queue at rest keeps one or two of this size: 640 bytes each.
    static var smallest: Int { 16 }
    static var largest: Int { 128 }

    let capacity: Int
    let places: UnsafeMutablePointer<BatchedWork>
    /// The chunk that comes after this one.
    var next: BatchChunk?

    init(capacity: Int = BatchChunk.smallest) {
        self.capacity = capacity
        places = .allocate(capacity: capacity)
    }

    // All that was put in has been taken: a turn that has more to run holds the queue's list.
    deinit { places.deallocate() }
}
