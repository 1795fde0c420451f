import Foundation
import MultiIdentityFoundation
import Testing

@testable import MultiIdentity

@Suite("Work given to Foundation by a revoked identity") struct RevokedGivenWorkTests {
    private let ada: Identity

    init() throws {
        ada = try Identity("ada-\(UInt64.random(in: 0 ... .max))@contoso.com")
        IdentityRevocation.isOn = true
    }

    private func standing() -> @Sendable () -> [Identity?] {
        { [Identity.current, IdentityRevocation.revokedOwner?.identity] }
    }

    @Test(
        "runs under nobody, and knows its owner, over each boundary",
        .rule("10.1"),
        arguments: FoundationBoundary.all
    )
    func boundaries(_ boundary: FoundationBoundary) async {
        IdentityRevocation.revoke(ada, for: .signedOut)
        defer { IdentityRevocation.readmit(ada) }
        let seen = await boundary.inWork(givenBy: ada, setOffBy: [ada], standing())
        #expect(Set(seen.found) == [[.nobody, ada]])  // it may repeat
        #expect(seen.after == [ada])
    }

    @Test(
        "in a queue of operations runs under nobody, as does its completion block, and its dependents continue",
        .rule("10.1"),
        arguments: QueueKind.carrying,
        OperationKind.allCases
    )
    func operations(_ kind: QueueKind, _ operation: OperationKind) async throws {
        let bob = try Identity("bob-\(UInt64.random(in: 0 ... .max))@contoso.com")
        let (queue, standing, seen) = (kind.make(), standing(), Notes<[Identity?]>())
        queue.queue.isSuspended = true
        await withCheckedContinuation { continuation in
            let first = operation.make { seen.add(standing()) }
            first.completionBlock = { seen.add(standing()) }
            let second = operation.make {
                seen.add(standing())
                continuation.resume()
            }
            second.addDependency(first)
            withIdentity(ada) { queue.add(first) }
            withIdentity(bob) { queue.add(second) }
            IdentityRevocation.revoke(ada, for: .signedOut)
            queue.queue.isSuspended = false
        }
        defer { IdentityRevocation.readmit(ada) }
        while seen.all.count < 3 { await Task.yield() }
        #expect(seen.all.filter { $0 == [.nobody, ada] }.count == 2)
        #expect(seen.all.filter { $0 == [bob, nil] }.count == 1)
        await queue.finished()
        while IdentityRevocation.workInFlight(of: ada).running > 0 { await Task.yield() }
    }

    @Test("is dropped if requested, and its handler called in order", .rule("10.8"), arguments: QueueKind.carrying)
    func dropped(_ kind: QueueKind) async {
        let (queue, seen) = (kind.make(), Notes<String>())
        let work = IdentityRevocation.dropping {
            seen.add("ran")
        } onRevocation: { owner in
            seen.add("\(owner.reason), under \(String(describing: Identity.current?.isNobody))")
        }
        queue.queue.maxConcurrentOperationCount = 1
        queue.queue.isSuspended = true
        withIdentity(ada) { queue.add(work) }
        IdentityRevocation.revoke(ada, for: .signedOut)
        queue.queue.isSuspended = false
        await queue.finished()
        IdentityRevocation.readmit(ada)
        withIdentity(ada) { queue.add(work) }
        await queue.finished()
        #expect(seen.all == ["signed out, under Optional(true)", "ran"])
    }
}
