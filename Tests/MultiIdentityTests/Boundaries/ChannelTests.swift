import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

@Suite("A channel that carries identity is otherwise the channel it was") struct ChannelTests {
    private let ada = Users.ada
    private let grace = Users.grace

    /// The arguments of a handler, and the identity that it ran as.
    private struct Call: Sendable, Equatable {
        var isDone = true
        var bytes: [UInt8]?
        var error: Int32 = 0
        var identity: Identity?
    }

    private static func data(_ bytes: [UInt8]) -> DispatchData { bytes.withUnsafeBytes { DispatchData(bytes: $0) } }

    @Test("what is asked of it in a row comes in that order, barriers between, each as who asked", .rule("4.5"))
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
                        // What is written before is on the queue by then, and what is written later is not.
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

    @Test("a large read calls its handler several times, each time as who asked, and loses no byte", .rule("4.5"))
    func largeRead() async {
        let (ada, grace) = (ada, grace)
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

    @Test("reads and writes with random access find their place, each as who asked", .rule("4.7"))
    func randomAccess() async throws {
        let callers = try (0..<4).map { try Identity("user-\($0)@contoso.com") }
        let file = TestFile(holding: Array(0..<8))
        let calls = Notes<Call>()
        let channel = try #require(
            DispatchIO.propagatingIdentity(type: .random, path: file.path, oflag: O_RDWR, mode: 0, queue: .global()) {
                _ in
            }
        ).propagatingIdentity
        let queue = DispatchQueue(label: "io")
        await withCheckedContinuation { continuation in
            withIdentity(ada) {
                channel.write(offset: 6, data: Self.data([60, 61]), queue: queue) { isDone, _, _ in
                    if isDone { continuation.resume() }
                }
            }
        }
        for (number, caller) in callers.enumerated() {
            await withCheckedContinuation { continuation in
                withIdentity(caller) {
                    let place = IdentityIO.Offset(number * 2)
                    channel.read(offset: place, length: 2, queue: queue) { isDone, data, error in
                        if let data, !data.isEmpty {
                            calls.add(Call(bytes: Array(data), error: error, identity: .current))
                        }
                        if isDone { continuation.resume() }
                    }
                }
            }
        }
        channel.close()
        #expect(calls.all.map(\.bytes) == [[0, 1], [2, 3], [4, 5], [60, 61]])
        #expect(calls.all.map(\.identity) == callers)
        file.close()
    }

    @Test("a bad descriptor is reported to each handler by an error number, still as its owner", .rule("5.1"))
    func badDescriptor() async {
        let (ada, grace) = (ada, grace)
        let calls = Notes<Call>()
        // The cleanup handler comes when libdispatch has let go of the descriptor, before the others or after.
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

    @Test("reads and writes without a channel give data and errors once, as who asked", .rule("4.7"))
    func withoutChannel() async {
        let (ada, grace) = (ada, grace)
        let calls = Notes<Call>()
        let pipe = TestPipe(holding: [1, 2, 3])
        let io = DispatchIO.propagatingIdentity
        func read(_ descriptor: Int32, as caller: Identity) async {
            await withCheckedContinuation { continuation in
                withIdentity(caller) {
                    io.read(fromFileDescriptor: descriptor, maxLength: 2, runningHandlerOn: .global()) { data, error in
                        calls.add(Call(bytes: Array(data), error: error, identity: .current))
                        continuation.resume()
                    }
                }
            }
        }
        func write(_ descriptor: Int32, as caller: Identity) async {
            await withCheckedContinuation { continuation in
                withIdentity(caller) {
                    io.write(toFileDescriptor: descriptor, data: Self.data([4]), runningHandlerOn: .global()) {
                        data,
                        error in
                        calls.add(Call(bytes: data.map(Array.init), error: error, identity: .current))
                        continuation.resume()
                    }
                }
            }
        }
        await read(pipe.readEnd, as: ada)
        await write(pipe.writeEnd, as: grace)
        await read(pipe.readEnd, as: grace)
        await read(-1, as: ada)
        await write(-1, as: ada)
        // What is left to write is not reported alike by every libdispatch.
        let plain: Call = await withCheckedContinuation { continuation in
            DispatchIO.write(toFileDescriptor: -1, data: Self.data([4]), runningHandlerOn: .global()) { data, error in
                continuation.resume(returning: Call(bytes: data.map(Array.init), error: error))
            }
        }
        #expect(plain.error == EBADF)
        #expect(
            calls.all == [
                Call(bytes: [1, 2], identity: ada), Call(identity: grace), Call(bytes: [3, 4], identity: grace),
                Call(bytes: [], error: EBADF, identity: ada),
                Call(bytes: plain.bytes, error: plain.error, identity: ada),
            ]
        )
        pipe.close()
    }

    @Test("closed with stop it ends what it has not done with an error, as who asked", .rule("5.1"))
    func stopped() async {
        let (ada, grace) = (ada, grace)
        let calls = Notes<Call>()
        let pipe = TestPipe()
        await withCheckedContinuation { continuation in
            let queue = DispatchQueue(label: "io")
            let channel = withIdentity(grace) {
                DispatchIO.propagatingIdentity(type: .stream, fileDescriptor: pipe.readEnd, queue: queue) { error in
                    calls.add(Call(error: error, identity: .current))
                    continuation.resume()
                }
            }.propagatingIdentity
            withIdentity(ada) {
                channel.read(offset: 0, length: 1, queue: queue) { isDone, _, error in
                    if isDone { calls.add(Call(error: error, identity: .current)) }
                }
            }
            #expect(channel.base.fileDescriptor == pipe.readEnd)
            channel.close(flags: .stop)
            #expect(channel.base.fileDescriptor == -1)
        }
        #expect(calls.all == [Call(error: ECANCELED, identity: ada), Call(identity: grace)])
        pipe.close()
    }

    @Test("a path that is no file is reported to its handlers, and one that is no path gives no channel", .rule("5.1"))
    func paths() async throws {
        let ada = ada
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

    @Test("a handler is called at intervals too, each time as who asked", .rule("4.7"), .timeLimit(.minutes(20)))
    func intervals() async {
        let ada = ada
        let calls = Notes<Call>()
        let pipe = TestPipe()
        await withCheckedContinuation { continuation in
            let channel = DispatchIO(type: .stream, fileDescriptor: pipe.readEnd, queue: .global()) { _ in
                continuation.resume()
            }.propagatingIdentity
            channel.base.setLimit(lowWater: 1)
            channel.base.setInterval(interval: .milliseconds(1), flags: .strictInterval)
            withIdentity(ada) {
                channel.read(offset: 0, length: 1, queue: DispatchQueue(label: "io")) { isDone, _, error in
                    calls.add(Call(isDone: isDone, error: error, identity: .current))
                    if calls.all.count == 3 { channel.close(flags: .stop) }
                }
            }
        }
        #expect(calls.all.count >= 3)
        #expect(calls.all.allSatisfy { $0.identity == ada })
        pipe.close()
    }

    @Test("offsets are what the system calls offsets")
    func offsets() {
        #expect(IdentityIO.Offset.self == off_t.self)
    }
}
