public import Foundation

/// The lines that come from a pipe.
public struct Lines: Sendable {
    private let handle: FileHandle
    private var rest: [UInt8] = []

    /// Reads lines from a pipe's end.
    public init(_ handle: FileHandle) { self.handle = handle }

    /// Waits for the next line; `nil` at the end.
    ///
    /// What was written by half is none.
    public mutating func next() -> String? {
        while true {
            if let end = rest.firstIndex(of: 10) {
                defer { rest.removeFirst(end + 1) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let more = handle.availableData
            if more.isEmpty { return nil }
            rest += more
        }
    }
}
