import Foundation
import MultiIdentityProtection

/// A stream that takes and returns pieces: the package has two.
protocol ConvertingStream: ~Copyable {
    mutating func push(_ bytes: [UInt8]) throws(ProtectionError) -> [UInt8]
    consuming func finish() throws(ProtectionError) -> [UInt8]
}

extension ProtectingStream: ConvertingStream {}
extension UnprotectingStream: ConvertingStream {}

/// Passes standard input through a stream to standard output.
enum Pump {
    /// The number of bytes that is enough for any header.
    static let headerSize = 1_200

    /// Reads enough bytes for any header.
    static func readStart() throws(CommandFailure) -> [UInt8] { try read(upTo: headerSize) }

    /// - Parameters:
    ///   - first: The bytes that were read before.
    ///   - stream: The converting stream.
    /// - Throws: The stream's error, and ``CommandFailure``.
    static func run<Stream: ConvertingStream & ~Copyable>(_ first: [UInt8], through stream: consuming Stream) throws {
        guard isatty(STDOUT_FILENO) == 0 else {
            throw CommandFailure(.usage, "terminal", "The standard output is a terminal; redirect it to a file.")
        }
        var piece = first
        repeat {
            try StandardOutput.write(try stream.push(piece))
            piece = try read(upTo: 1 << 20)
        } while !piece.isEmpty
        try StandardOutput.write(try stream.finish())
    }

    private static func read(upTo count: Int) throws(CommandFailure) -> [UInt8] {
        do { return Array(try FileHandle.standardInput.read(upToCount: count) ?? Data()) } catch {
            throw CommandFailure(.noInput, "inputFailed", "The standard input cannot be read: \(error).")
        }
    }
}
