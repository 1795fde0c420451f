import Dispatch
import Foundation
import MultiIdentity

/// The files that the boundaries of one lane read and write; they stay open while this object is referenced.
final class LaneFiles: Sendable {
    /// The reading end of a pipe that always has a byte to read.
    let readable: Int32
    private let writable: Int32
    /// A random-access channel to a file of a few bytes.
    let channel: DispatchIO

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "No pipe can be had for a lane: error \(errno).")
        (readable, writable) = (ends[0], ends[1])
        precondition(write(writable, [0], 1) == 1, "The pipe of a lane takes no byte: error \(errno).")
        var template = Array("\(NSTemporaryDirectory())/identity-stress-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        precondition(file >= 0, "No temporary file can be made for a lane: error \(errno).")
        unlink(template)
        precondition(write(file, Self.bytes, Self.bytes.count) == Self.bytes.count, "The disk is full: error \(errno).")
        lseek(file, 0, SEEK_SET)
        channel = DispatchIO(type: .random, fileDescriptor: file, queue: .global()) { _ in close(file) }
    }

    deinit {
        channel.close()
        close(readable)
        close(writable)
    }

    /// The contents of the file.
    private static let bytes = [UInt8](0..<16)
}
