import Foundation
import MultiIdentity
import MultiIdentityDoctor
import MultiIdentityFoundation
import Testing

@Suite("A file handle with handlers, plain or carrying identity", .rule("4.7")) struct FileHandleTests {
    /// The plain and the carrying way to set a handler, which must behave alike.
    enum Kind: CaseIterable, Sendable {
        case plain, carrying

        func onReadable(_ handle: FileHandle, _ handler: (@Sendable (FileHandle) -> Void)?) {
            switch self {
            case .plain: handle.readabilityHandler = handler
            case .carrying: handle.propagatingIdentity.readabilityHandler = handler
            }
        }

        func onWriteable(_ handle: FileHandle, _ handler: (@Sendable (FileHandle) -> Void)?) {
            switch self {
            case .plain: handle.writeabilityHandler = handler
            case .carrying: handle.propagatingIdentity.writeabilityHandler = handler
            }
        }
    }

    /// Sockets can signal the end of their data without hanging up.
    private func sockets() throws -> WatchedPipe {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return WatchedPipe(
            reader: FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
            writer: FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        )
    }

    @Test("reads everything that is written, in order, and sees the end", arguments: Kind.allCases)
    func reading(_ kind: Kind) async throws {
        let pipe = try sockets()
        let (stream, continuation) = AsyncStream<(Data, Identity?, Bool)>.makeStream()
        withIdentity(ada) {
            kind.onReadable(pipe.reader) { handle in
                let data = handle.availableData
                continuation.yield((data, .current, handle === pipe.reader))
                if data.isEmpty {
                    kind.onReadable(handle, nil)
                    continuation.finish()
                }
            }
        }
        let text = (0..<1_000).map { "line \($0)\n" }.joined()
        try pipe.writer.write(contentsOf: Data(text.utf8))
        var read = Data()
        for await (data, identity, isSame) in stream {
            read += data
            #expect(identity == (kind == .carrying ? ada : nil))
            #expect(isSame)
            if read.count == text.utf8.count && !data.isEmpty { shutdown(pipe.writer.fileDescriptor, Int32(SHUT_WR)) }
        }
        #expect(String(decoding: read, as: UTF8.self) == text)
        #expect(pipe.reader.readabilityHandler == nil)
    }

    @Test("calls the write handler as long as there is space", arguments: Kind.allCases)
    func writing(_ kind: Kind) async {
        let pipe = WatchedPipe()
        let runs = Notes<Identity?>()
        await withCheckedContinuation { continuation in
            withIdentity(ada) {
                kind.onWriteable(pipe.writer) { handle in
                    handle.write(Data([1]))
                    runs.add(.current)
                    if runs.all.count == 3 {
                        kind.onWriteable(handle, nil)
                        continuation.resume()
                    }
                }
            }
        }
        pipe.endWatching()
        #expect(pipe.reader.availableData.count >= 3)
        #expect(runs.all.prefix(3) == Array(repeating: kind == .carrying ? ada : nil, count: 3)[...])
    }

    @Test("uses the last handler that was set, and none after it was closed", arguments: Kind.allCases)
    func lastHandler(_ kind: Kind) async throws {
        let pipe = WatchedPipe()
        let (reader, writer) = (pipe.reader, pipe.writer)
        let view = reader.propagatingIdentity
        #expect(view.readabilityHandler == nil && view.writeabilityHandler == nil)
        let runs = Notes<String>()
        kind.onReadable(reader) { _ in runs.add("replaced") }
        await withCheckedContinuation { continuation in
            kind.onReadable(reader) { handle in
                _ = handle.availableData
                runs.add("last")
                continuation.resume()
            }
            writer.write(Data([1]))
        }
        #expect(runs.all == ["last"])
        #expect(view.readabilityHandler != nil)
        try reader.close()
        #expect(view.readabilityHandler == nil)
    }
}
