import ArgumentParser
import CTruth
import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityDiagnostics
import Synchronization

/// A server that says, besides its threads' records, whose work each runs: for Benchmarks/profile-by-identity.
///
/// Its truth is a number of each thread that the pieces of work set themselves, from what their closures captured.
struct ShownServer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shown",
        abstract: "Works for many identities, until its input ends; answers pseudonyms with their identities' numbers.",
        shouldDisplay: false
    )

    @Option(help: "The number of identities.")
    var identities = 1_000

    func run() throws {
        try IdentityThreadContext.turnOn()
        let load = try Load(identities)
        Thread.detachNewThread { load.run() }
        try Self.answer(Int(truth_offset()))
        while let pseudonym = readLine() {
            let name = IdentityThreadContext.identity(of: pseudonym)?.name
            try Self.answer(name.flatMap { Int($0.prefix { $0 != "@" }) } ?? 0)
        }
    }

    private static func answer(_ number: Int) throws {
        try FileHandle.standardOutput.write(contentsOf: Data("\(number)\n".utf8))
    }

    /// Pieces on queues of several kinds, scopes in them, hops from them, and tasks.
    private final class Load: Sendable {
        private let users: [Identity]
        private let room = DispatchSemaphore(value: 256)
        private let queues =
            [IdentityQueue.global(), IdentityQueue(label: "concurrent", attributes: .concurrent)]
            + (0..<4).map { IdentityQueue(label: "serial \($0)") }
            + [IdentityQueue(label: "fair", draining: .fairly(by: .pieces))]

        private let executors: [IdentityTaskExecutor]

        init(_ count: Int) throws {
            users = try (1...count).map { try Identity("\($0)@users.example") }
            executors = [queues[0], queues[6]].map { IdentityTaskExecutor(on: $0) }
        }

        func run() {
            for round in 0... {
                let number = round &* 7_919 % users.count + 1
                // One in 500 is an identity that ends with its work, and whose record's memory others use again.
                let user =
                    round % 500 == 0
                    ? try? Identity("\(users.count + round % 30_000 / 500 + 1)@guests.example") : users[number - 1]
                guard let user, let shown = UInt16(user.name.prefix { $0 != "@" }) else { return }
                room.wait()
                withIdentity(user) { start(round, as: shown) }
            }
        }

        private func start(_ round: Int, as shown: UInt16) {
            let queue = queues[round % queues.count]
            let other = Int(shown) % users.count
            if round % 16 == 0 {
                Task(executorPreference: executors[round / 16 % executors.count]) { [self] in
                    Self.work(as: shown)
                    await withIdentity(users[other]) {
                        Self.work(as: UInt16(other + 1))
                        await Task.yield()
                        Self.work(as: UInt16(other + 1))
                    }
                    Self.work(as: shown)
                    await Task.yield()
                    Self.work(as: shown)
                    room.signal()
                }
                return
            }
            queue.async { [self] in
                Self.work(as: shown)
                if round % 4 == 1 { withIdentity(users[other]) { Self.work(as: UInt16(other + 1)) } }
                Self.work(as: shown)
                guard round % 8 == 2 else { return _ = room.signal() }
                queues[0].async { [self] in
                    Self.work(as: shown)
                    room.signal()
                }
            }
        }

        /// Works for 50 µs or so, between two changes of the truth, outside which someone else may be shown.
        @inline(never)
        private static func work(as shown: UInt16) {
            truth_set(shown)
            var value: UInt64 = 1
            for _ in 0..<20_000 {
                value ^= value << 13
                value ^= value >> 7
                value ^= value << 17
            }
            result.store(value, ordering: .relaxed)
            truth_set(0)
        }
        private static let result = Atomic<UInt64>(0)
    }
}
