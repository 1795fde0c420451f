internal import CSystemCalls

/// The place at the head of the queue for a lock among processes.
///
/// A process that waits for the lock has this one, so that one that gives the lock up and wants it again waits its turn. It
/// only makes others wait: if its file is removed, only the order is lost.
struct TurnLock: ~Copyable, Sendable {
    private let file: OpenFile
    /// In milliseconds.
    private let patience: Int

    /// Takes over a file to be locked, which nothing else locks.
    init(_ file: consuming OpenFile, patience: Int) {
        self.file = file
        self.patience = patience
    }

    /// Waits until `take` has taken the lock in question.
    ///
    /// - Parameters:
    ///   - path: What is waited for, for the message.
    ///   - take: Takes the lock at once, or returns `false`.
    /// - Throws: ``RecordLogError``, also where another process has had the lock for too long, or what `take` throws.
    func waiting(_ path: String, _ take: () throws(RecordLogError) -> Bool) throws(RecordLogError) {
        var waited = 0
        try wait(path, &waited) { () throws(RecordLogError) in
            try RecordLogError.from { () throws(SystemCallError) in try file.lock() }
        }
        defer { try? file.unlock() }
        try wait(path, &waited, take)
    }

    /// A lock is asked for once in so many microseconds: a change takes the disk that long at least.
    private static let pause = 100

    private func wait(
        _ path: String,
        _ waited: inout Int,
        _ take: () throws(RecordLogError) -> Bool
    ) throws(RecordLogError) {
        while try !take() {
            guard waited < patience * 1_000 else {
                let message =
                    "\(path) has been locked by another process for \(patience) ms. Check what that process does."
                throw RecordLogError(.inUse, message)
            }
            usleep(UInt32(Self.pause))
            waited += Self.pause
        }
    }
}
