/// A part of a log that holds no record: where it is, and how much of it there is.
package struct RecordLogDamage: Hashable, Sendable {
    /// In bytes from the file's start.
    package let offset: UInt64
    package let length: UInt64
    /// Indicates whether it is the end of the log and a write that a crash cut short: no loss, and it was cut off.
    package let isTail: Bool

    package init(offset: UInt64, length: UInt64, isTail: Bool) {
        self.offset = offset
        self.length = length
        self.isTail = isTail
    }
}
