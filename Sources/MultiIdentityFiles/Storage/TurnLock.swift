internal import CSystemCalls

/// The place at the head of the queue for a lock among processes.
///
/// A process that waits for the lock holds this one, so that a process that releases the lock and wants it again waits its
/// turn. If its file is removed, only the order is lost.
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
    /// - Throws: ``RecordLogError``, also if another process has kept the lock for too long; or the error of `take`.
    func waiting(_ path: String, _ take: () throws(RecordLogError) -> Bool) throws(RecordLogError) {
        var waited = 0
        try wait(path, &waited) { () throws(RecordLogError) in
            try RecordLogError.from { () throws(SystemCallError) in try file.lock() }
        }
        defer { try? file.unlock() }
        try wait(path, &waited, take)
    }

    /// The time between attempts, in microseconds: a change takes the disk at least that long.
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
