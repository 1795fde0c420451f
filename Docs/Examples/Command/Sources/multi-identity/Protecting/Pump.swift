import MultiIdentityPolicy

/// Pushes all that is read through a stream.
enum Pump {
    /// The number of bytes that are read at once.
    static let pieceSize = 1 << 20

    /// - Parameters:
    ///   - stream: What converts.
    ///   - first: What was read before.
    ///   - read: Gives the next bytes, none at the end.
    ///   - write: Takes what was converted.
    ///   - progressed: Called with the number of bytes that were read by now.
    /// - Returns: The number of bytes that were read.
    /// - Throws: What the stream, `read` and `write` throw, and ``CommandFailure`` where an end is wanted.
    static func run<Stream: ConvertingStream & ~Copyable>(
        _ stream: consuming Stream,
        first: [UInt8] = [],
        read: () throws -> [UInt8],
        write: ([UInt8]) throws -> Void,
        progressed: (UInt64) -> Void
    ) throws -> UInt64 {
        var count = UInt64(first.count)
        if !first.isEmpty { try write(try stream.push(first)) }
        while case let piece = try read(), !piece.isEmpty {
            try write(try stream.push(piece))
            count += UInt64(piece.count)
            progressed(count)
            try Interruption.check()
        }
        try write(try stream.finish())
        return count
    }
}
