import Foundation
import Logging
import MultiIdentity
import MultiIdentityCarriers
import ServiceLifecycle
import SignedIdentity
import Synchronization

/// Jobs that run after their request was answered, each as the user who enqueued it.
///
/// A row is bytes, as in a database: it contains its owner as a signed claim, made when the job is enqueued and verified when
/// it runs. Write access to the rows is not enough to forge one for another user.
final class JobQueue: Service {
    private struct Row: Codable {
        let claim: String
        let text: String
    }

    private struct NoOwner: Error {}

    private let rows = Mutex<[Int: Data]>([:])
    private let numbers = Atomic(0)
    private let keys: KeyRing
    private let waiting: AsyncStream<Int>
    private let enqueued: AsyncStream<Int>.Continuation
    private let work: @Sendable (String) async throws -> Void
    private let logger: Logger

    /// - Parameters:
    ///   - keys: The keys that sign owners. If the rows are in a database, keep the keys elsewhere.
    ///   - logger: The log of dropped jobs.
    ///   - work: Runs a job, as its owner.
    init(keys: KeyRing, logger: Logger, work: @escaping @Sendable (String) async throws -> Void) {
        self.keys = keys
        self.logger = logger
        self.work = work
        (waiting, enqueued) = AsyncStream.makeStream()
    }

    /// Enqueues a job for the current user.
    ///
    /// - Returns: Its number.
    func enqueue(_ text: String) throws -> Int {
        let number = numbers.add(1, ordering: .relaxed).newValue
        // For this row only: the claim is not valid in another one.
        let signing = try IdentitySigning.hmac(
            issuer: "web",
            audience: "job \(number)",
            keys: keys,
            lifetime: Self.lifetime
        )
        let claim = try IdentityBaggage.standard.headerValue(for: Identity.required(), signing: signing)
        let row = try JSONEncoder().encode(Row(claim: claim ?? "", text: text))
        rows.withLock { $0[number] = row }
        enqueued.yield(number)
        return number
    }

    /// Runs the jobs, until the server stops and all of them have run.
    func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await number in waiting { group.addTask { await self.perform(number) } }
            }
        } onGracefulShutdown: {
            self.enqueued.finish()
        }
    }

    /// Removes the jobs of a leaving user.
    func erase(_ user: Identity) {
        rows.withLock { rows in
            rows = rows.filter { number, row in (try? self.owner(of: Self.decoded(row), number)) != user }
        }
    }

    /// The number of waiting jobs.
    var count: Int { rows.withLock { $0.count } }

    private func perform(_ number: Int) async {
        guard let bytes = rows.withLock({ $0.removeValue(forKey: number) }) else { return }
        do {
            let row = try Self.decoded(bytes)
            try await withIdentity(owner(of: row, number)) {
                // Inside the scope, which counts as work in progress: a wipe waits for an admitted job.
                try IdentityRevocation.admit(Identity.required())
                try await work(row.text)
            }
        } catch {
            logger.warning("a job was dropped", metadata: ["job": "\(number)", "reason": "\(error)"])
        }
    }

    private func owner(of row: Row, _ number: Int) throws -> Identity {
        let verifier = SignatureVerifier.hmac(
            audience: "job \(number)",
            issuers: ["web": keys],
            maximumLifetime: Self.lifetime
        )
        guard let claim = try IdentityBaggage.standard.claim(in: [row.claim]) else { throw NoOwner() }
        return try claim.verified(by: verifier)
    }

    private static let lifetime = Duration.seconds(3_600)

    private static func decoded(_ bytes: Data) throws -> Row { try JSONDecoder().decode(Row.self, from: bytes) }
}
