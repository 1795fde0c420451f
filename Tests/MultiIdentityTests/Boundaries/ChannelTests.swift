import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

@Suite("A channel that carries identity otherwise behaves like a plain channel") struct ChannelTests {
    /// The arguments of a handler, and the identity that it ran as.
    private struct Call: Sendable, Equatable {
        var isDone = true
        var bytes: [UInt8]?
        var error: Int32 = 0
        var identity: Identity?
    }

    private static func data(_ bytes: [UInt8]) -> DispatchData { bytes.withUnsafeBytes { DispatchData(bytes: $0) } }

    @Test("successive operations keep their order, with barriers in between, each as its caller", .rule("4.5"))
    func barriers() async throws {
        let callers = try (0..<9).map { try Identity("user-\($0)@contoso.com") }
        let notes = Notes<String>()
        @Sendable func note(_ what: String) { notes.add("\(what) \(Identity.current?.name ?? "unset")") }
        let pipe = TestPipe()
        await withCheckedContinuation { continuation in
            let queue = DispatchQueue(label: "io")
            let channel = DispatchIO.propagatingIdentity(type: .stream, fileDescriptor: pipe.writeEnd, queue: queue) {
                _ in continuation.resume()
            }.propagatingIdentity
            for (number, caller) in callers.enumerated() {
                withIdentity(caller) {
                    if number.isMultiple(of: 2) {
                        channel.write(offset: 0, data: Self.data([UInt8(number)]), queue: queue) { isDone, _, _ in
                            if isDone { note("write") }
                        }
                    } else {
                        // Everything written before is on the queue by then, and nothing written later.
                        channel.barrier { queue.sync { note("barrier") } }
                    }
                }
            }
            channel.close()
        }
        #expect(
            notes.all == callers.enumerated().map { ($0.isMultiple(of: 2) ? "write " : "barrier ") + $1.name }
        )
        var written = [UInt8](repeating: .max, count: 6)
        #expect(read(pipe.readEnd, &written, 6) == 5)
        #expect(written == [0, 2, 4, 6, 8, .max])
        pipe.close()
    }

    @Test("a large read calls its handler several times, always as its owner, and loses no byte", .rule("4.5"))
    func largeRead() async {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let file = TestFile(holding: bytes)
        let calls = Notes<Call>()
        await withCheckedContinuation { continuation in
            let channel = DispatchIO(type: .stream, fileDescriptor: file.descriptor, queue: .global()) { _ in
                continuation.resume()
            }.propagatingIdentity
            channel.base.setLimit(highWater: 4_096)
            withIdentity(ada) {
                channel.read(offset: 0, length: .max, queue: DispatchQueue(label: "io")) { isDone, data, error in
                    calls.add(Call(isDone: isDone, bytes: data.map(Array.init), error: error, identity: .current))
                }
            }
            withIdentity(grace) { channel.close() }
        }
        #expect(calls.all.count >= 25)
        #expect(calls.all.allSatisfy { $0.identity == ada && $0.error == 0 && ($0.bytes?.count ?? 0) <= 4_096 })
        #expect(calls.all.count { $0.isDone } == 1)
        #expect(calls.all.last?.isDone == true)
        #expect(calls.all.flatMap { $0.bytes ?? [] } == bytes)
        file.close()
    }

    @Test("a bad descriptor is reported to each handler by an error number, still as its owner", .rule("5.1"))
    func badDescriptor() async {
        let calls = Notes<Call>()
        // The cleanup handler runs when libdispatch has released the descriptor, before the others or after.
        let pending = DispatchGroup()
        for _ in 0..<3 { pending.enter() }
        let queue = DispatchQueue(label: "io")
        let channel = withIdentity(ada) {
            DispatchIO.propagatingIdentity(type: .stream, fileDescriptor: -1, queue: queue) { error in
                calls.add(Call(error: error, identity: .current))
                pending.leave()
            }
        }.propagatingIdentity
        withIdentity(grace) {
            channel.read(offset: 0, length: 1, queue: queue) { isDone, data, error in
                calls.add(Call(isDone: isDone, bytes: data.map(Array.init), error: error, identity: .current))
                pending.leave()
            }
            channel.write(offset: 0, data: Self.data([1]), queue: queue) { isDone, _, error in
                calls.add(Call(isDone: isDone, error: error, identity: .current))
                pending.leave()
            }
        }
        await withCheckedContinuation { continuation in
            pending.notify(queue: .global()) { continuation.resume() }
        }
        #expect(calls.all.contains(Call(error: EBADF, identity: ada)))
        #expect(calls.all.count { $0.identity == grace && $0.error == EBADF && $0.isDone } == 2)
        #expect(calls.all.count == 3)
    }

    @Test("a path that is no file is reported to its handlers, and an invalid path gives no channel", .rule("5.1"))
    func paths() async throws {
        let calls = Notes<Call>()
        await withCheckedContinuation { continuation in
            _ = withIdentity(ada) {
                DispatchIO.propagatingIdentity(
                    type: .stream,
                    path: "/multi-identity/is/not/here",
                    oflag: O_RDONLY,
                    mode: 0,
                    queue: .global()
                ) { error in
                    calls.add(Call(error: error, identity: .current))
                    continuation.resume()
                }
            }
        }
        #expect(calls.all == [Call(error: ENOENT, identity: ada)])
        for path in ["relative", ""] {
            let channel = DispatchIO.propagatingIdentity(
                type: .stream,
                path: path,
                oflag: O_RDONLY,
                mode: 0,
                queue: .global()
            ) { _ in }
            #expect(channel == nil)
        }
    }
}
