/// A chunk of the work list of a queue that drains in batches.
///
/// `@unchecked Sendable`: constant, except `next` and the contents of its places. Callers that add work write those under the list's
/// lock, before they change the tally with release. The queue's worker reads them, after it has loaded that tally with acquire. From then
/// on the worker owns them, until it sets the chunk aside, with release, for a caller that adds work and takes it with acquire.
final class BatchChunk: @unchecked Sendable {
    /// An idle queue keeps one or two chunks of this size: 640 bytes each.
    static var smallest: Int { 16 }
    static var largest: Int { 128 }

    let capacity: Int
    let places: UnsafeMutablePointer<BatchedWork>
    /// The chunk after this one.
    var next: BatchChunk?

    init(capacity: Int = BatchChunk.smallest) {
        self.capacity = capacity
        places = .allocate(capacity: capacity)
    }

    // Everything in it has been taken: a turn that has more to run retains the queue's list.
    deinit { places.deallocate() }
}
