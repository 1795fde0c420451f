import MultiIdentityFiles
import MultiIdentityProtection
import NIOCore
import Synchronization

/// A file that is encrypted while it comes in.
final class ProtectedUpload: FileUpload {
    private struct State: ~Copyable {
        let file: IdentityFile
        var stream: ProtectingStream

        mutating func write(_ bytes: [UInt8]) throws {
            try file.write(stream.push(bytes))
        }

        consuming func finish() throws {
            try file.write(stream.finish())
            try file.synchronize()
        }
    }

    private let state: Mutex<State?>
    private let files: IdentityFileSystem
    private let temporary: String
    private let path: String

    init(
        _ file: consuming IdentityFile,
        _ stream: consuming ProtectingStream,
        _ files: IdentityFileSystem,
        temporary: String,
        path: String
    ) {
        state = Mutex(State(file: file, stream: stream))
        self.files = files
        self.temporary = temporary
        self.path = path
    }

    func write(_ bytes: ByteBuffer) throws {
        let bytes = Array(bytes.readableBytesView)
        try state.withLock { state in try state?.write(bytes) }
    }

    func finish() throws {
        try state.withLock { state in
            guard let open = state.take() else { return }
            try open.finish()
        }
        // The owner goes with the file; where a wipe has removed it meanwhile, there is nothing to be moved.
        try files.move(temporary, to: path, existing: .replaced)
    }

    func abandon() { try? files.remove(temporary) }
}
