import MultiIdentityFiles
import MultiIdentityProtection
import NIOCore
import Synchronization

/// A file that is decrypted while it goes out: what was altered or cut off ends it with an error.
final class ProtectedDownload: FileDownload {
    private struct State: ~Copyable {
        let file: IdentityFile
        var stream: UnprotectingStream

        /// Returns what could be authenticated of the next bytes, perhaps none, or `nil` at the file's end.
        mutating func next() throws -> [UInt8]? {
            let read = try file.read(upTo: 65_536)
            return read.isEmpty ? nil : try stream.push(read)
        }

        consuming func finish() throws -> [UInt8] { try stream.finish() }
    }

    private let state: Mutex<State?>

    init(_ file: consuming IdentityFile, _ stream: consuming UnprotectingStream) {
        state = Mutex(State(file: file, stream: stream))
    }

    func next() throws -> ByteBuffer? {
        try state.withLock { state in
            while let bytes = try state?.next() {
                if !bytes.isEmpty { return ByteBuffer(bytes: bytes) }
            }
            guard let open = state.take() else { return nil }
            let last = try open.finish()
            return last.isEmpty ? nil : ByteBuffer(bytes: last)
        }
    }
}
