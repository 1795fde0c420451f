import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

@Suite("Work that was captured under a revoked identity") struct RevokedWorkTests {
    private let revocation = Revocation()
    private var ada: Identity { revocation.ada }

    typealias Reason = IdentityRevocation.Reason

    static let heldUp = Boundary.all.filter { $0.worker == .queue }
    /// If the caller waits, and the work is a part of the caller's, the work keeps its identity.
    static let partOfCaller = Boundary.waiting.filter {
        $0.captured == .dispatched && ($0.name.contains("sync") || $0.name.contains("concurrentPerform"))
    }
    static let notPartOfCaller = Boundary.all.filter { all in !partOfCaller.contains { $0.name == all.name } }

    @Test(
        "runs under nobody, and knows its owner, if it was captured before",
        .rule("10.1"),
        arguments: heldUp,
        [Origin.thread, .task]
    )
    func capturedBefore(_ boundary: Boundary, _ origin: Origin) async throws {
        let reason = try #require(Reason.allCases.randomElement())
        #expect(try await Self.run(boundary, of: ada, from: origin, revokedFor: reason) == .revoked(ada, reason))
    }

    @Test("runs as itself if no one was revoked, or another identity", .rule("10.1"), arguments: heldUp)
    func notRevoked(_ boundary: Boundary) async throws {
        let eve = try Revocation.newIdentity("eve")
        IdentityRevocation.revoke(eve, for: .wiped)
        defer { IdentityRevocation.readmit(eve, after: .wiped) }
        #expect(try await Self.run(boundary, of: ada, from: .thread, revokedFor: nil) == .working(ada))
    }

    @Test(
        "runs under nobody if it was captured afterwards, in an explicit scope",
        .rule("10.1"),
        arguments: notPartOfCaller
    )
    func capturedAfter(_ boundary: Boundary) async throws {
        IdentityRevocation.revoke(ada, for: .signedOut)
        let found = await boundary.inWork(of: ada) { _ in Standing.here }
        #expect(found == .revoked(ada, .signedOut))
    }

    @Test("is a part of its caller's work, on any thread, if the caller waits", .rule("10.2"), arguments: partOfCaller)
    func awaited(_ boundary: Boundary) async throws {
        IdentityRevocation.revoke(ada, for: .signedOut)
        #expect(await boundary.inWork(of: ada) { _ in Standing.here } == .working(ada))
    }

    /// As on systems where the main thread runs the main queue's work: elsewhere the waiting thread runs it.
    @Test(
        "is a part of its caller's work if another thread runs it in the meantime",
        arguments: [IdentityBoundary.sync, .concurrentPerform]
    )
    func awaitedElsewhere(_ boundary: IdentityBoundary) async throws {
        let found = withIdentity(ada) { () -> [Standing] in
            IdentityRevocation.revoke(ada, for: .signedOut)
            let callers = [CallersThread(at: boundary), CallersThread(at: .async)]
            let (found, ran) = (Notes<Standing>(), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                for caller in callers { caller.run { found.add(.here) } }
                ran.signal()
            }
            ran.wait()
            return found.all
        }
        #expect(found == [.working(ada), .revoked(ada, .signedOut)])
    }

    @Test("restores its worker's identity afterwards, and blocks no one", .rule("10.1"))
    func reinstates() async throws {
        let bob = try Revocation.newIdentity("bob")
        let wrapped = withIdentity(ada) {
            IdentitySnapshot.capture().wrap { Standing.here } as @Sendable () -> Standing
        }
        IdentityRevocation.revoke(ada, for: .signedOut)
        withIdentity(bob) {
            #expect(wrapped() == .revoked(ada, .signedOut))
            #expect(Standing.here == .working(bob))
            #expect(wrapped() == .revoked(ada, .signedOut))
        }
    }

    @Test(
        "stays revoked over further boundaries, and in a scope of nobody, but not in a scope of another identity",
        .rule("10.1")
    )
    func handsOn() async throws {
        let bob = try Revocation.newIdentity("bob")
        let snapshot = withIdentity(ada) { IdentitySnapshot.capture() }
        IdentityRevocation.revoke(ada, for: .wiped)
        snapshot.restore {
            let further = IdentitySnapshot.capture()
            let unset = withIdentity(nil) { () -> IdentitySnapshot in
                #expect(IdentityRevocation.revokedOwner?.identity == ada)
                return .capture()
            }
            withIdentity(.nobody) { #expect(IdentityRevocation.revokedOwner?.identity == ada) }
            withIdentity(bob) { #expect(Standing.here == .working(bob)) }
            IdentitySnapshot.nothing.restore { #expect(IdentityRevocation.revokedOwner == nil) }
            further.restore { #expect(Standing.here == .revoked(ada, .wiped)) }
            unset.restore {
                #expect(Identity.current == nil)
                #expect(IdentityRevocation.revokedOwner?.identity == ada)
            }
        }
    }

    @Test("that had begun keeps its identity to its end, also in work that it waits for", .rule("10.2"))
    func hadBegun() async throws {
        await withIdentity(ada) {
            IdentityRevocation.revoke(ada, for: .signedOut)
            #expect(Standing.here == .working(ada))
            await Task.yield()
            #expect(Standing.here == .working(ada))
            #expect(IdentityQueue(label: "sync").sync { Standing.here } == .working(ada))
            #expect(IdentityQueue.main.sync { Standing.here } == .working(ada))
            let seen = Notes<Standing>()
            IdentityQueue.concurrentPerform(iterations: 100) { _ in seen.add(.here) }
            #expect(seen.all.count == 100)
            #expect(seen.all.allSatisfy { $0 == .working(ada) })
            withIdentityLevels(process: nil) { #expect(Standing.here == .working(ada)) }
        }
    }

    static func run(
        _ boundary: Boundary,
        of ada: Identity,
        from origin: Origin,
        revokedFor reason: Reason?
    ) async throws -> Standing {
        try await run(boundary, of: ada, from: origin) { if let reason { IdentityRevocation.revoke(ada, for: reason) } }
    }

    /// Hands over work while the queue is suspended, and resumes it once the identity is refused.
    static func run(
        _ boundary: Boundary,
        of ada: Identity,
        from origin: Origin,
        refusing refuse: () -> Void,
        look: @escaping @Sendable () -> Void = {}
    ) async throws -> Standing {
        let queue = DispatchQueue(label: "blocked")
        let found = Locked<Standing?>(nil)
        queue.suspend()
        await withCheckedContinuation { (handedOver: CheckedContinuation<Void, Never>) in
            origin.run {
                withIdentity(ada) {
                    boundary.prepare(queue) {
                        look()
                        found.withLock { if $0 == nil { $0 = .here } }
                    }()
                }
                handedOver.resume()
            }
        }
        refuse()
        queue.resume()
        await eventually { found.withLock { $0 } != nil }
        return try #require(found.withLock { $0 })
    }
}
