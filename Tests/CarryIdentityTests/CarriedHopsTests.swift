import CarriedHops
import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityDiagnostics
import MultiIdentityFoundation
import PlainHops
import Synchronization
import Testing

/// Runs each spelling for many identities, and counts the work that did not run as the caller.
@Suite("Code that nobody changed", .serialized) struct CarriedHopsTests {
    static let identities = 20

    /// Run by the caller's own thread, at least in part.
    static let kept: Set<String> = ["sync", "concurrentPerform"]

    @Test("carries at no spelling without the plugin, unless the caller's thread runs the work") func plain()
        async throws
    {
        let hops = PlainHops.LegacyCode().all
        let lost = try await lost(hops.map { ($0.name, $0.hop) })
        #expect(Set(hops.map(\.name)).subtracting(lost.keys) == Self.kept)
        #expect(lost.values.allSatisfy { $0 == Self.identities })
    }

    @Test("carries at every spelling with the plugin") func carried() async throws {
        let hops = CarriedHops.LegacyCode().all
        let lost = try await lost(hops.map { ($0.name, $0.hop) })
        #expect(lost == [:])
        print("\(hops.count * Self.identities) hops in \(hops.count) spellings")
    }

    @Test("gives the module of a call as its place, and no line of the generated file") func place() async throws {
        let ada = try Identity("ada@contoso.com")
        Explanation.recordsProvenance = true
        defer { Explanation.recordsProvenance = false }
        let hops = await withCheckedContinuation { continuation in
            withIdentity(ada) {
                let hop = CarriedHops.LegacyCode().all[0].hop
                hop { continuation.resume(returning: EffectiveIdentity.current(for: .files).explanation.hops) }
            }
        }
        #expect(hops[0].description.hasSuffix(", captured at a plain call of CarriedHops, by CarryIdentity"))
        #expect(hops.map(\.site) == [nil])
    }

    @Test("leaves queues that carry by themselves as they are, which are subclasses of shadowed classes")
    func subclasses() {
        let operations = IdentityOperationQueue()
        operations.maxConcurrentOperationCount = 1
        let ran = Mutex<[Int]>([])
        operations.addOperation { ran.withLock { $0.append(1) } }
        operations.addOperation(BlockOperation { ran.withLock { $0.append(2) } })
        operations.addOperations([BlockOperation { ran.withLock { $0.append(3) } }], waitUntilFinished: false)
        operations.addBarrierBlock { ran.withLock { $0.append(4) } }
        operations.waitUntilAllOperationsAreFinished()
        #expect(ran.withLock { $0 } == [1, 2, 3, 4])
    }

    @Test("leaves closures in a list as they are, which run as their caller") func kept() throws {
        let (plain, carried) = (PlainHops.LegacyCode(), CarriedHops.LegacyCode())
        for (keeping, run) in [(plain.keeping, plain.runKept), (carried.keeping, carried.runKept)] {
            let seen = Mutex<[Identity?]>([])
            try withIdentity(Identity("ada@contoso.com")) {
                for (_, keep) in keeping { keep { seen.withLock { $0.append(Identity.current) } } }
            }
            try run()
            #expect(seen.withLock { $0 } == Array(repeating: nil, count: keeping.count))
        }
    }

    /// The number of lost identities by spelling.
    private func lost(
        _ hops: [(name: String, hop: (@escaping @Sendable () -> Void) -> Void)]
    ) async throws -> [String: Int] {
        var lost: [String: Int] = [:]
        for (name, hop) in hops {
            for number in 0..<Self.identities {
                let identity = try Identity("user-\(number)@contoso.com")
                let seen = await withCheckedContinuation { continuation in
                    withIdentity(identity) { hop { continuation.resume(returning: Identity.current) } }
                }
                if seen != identity { lost[name, default: 0] += 1 }
            }
        }
        return lost
    }
}
