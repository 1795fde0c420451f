import Dispatch
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("Work that follows the work of several") struct FanInTests {
    private let eve = Users.eve

    struct Outcome: Equatable, Sendable {
        var identity: Identity?
        var joined: IdentityFanIn.Joined
        var trigger: IdentityTrigger?
    }

    /// Runs work of each contributor in a group, one after the other, and then work that follows, registered by eve.
    private func follow(
        _ contributors: [Identity?],
        as rule: IdentityFanIn.Rule,
        under levels: IdentityLevels = .shared
    ) async -> Outcome {
        let (queue, group, fanIn) = (IdentityQueue(label: "fan-in"), DispatchGroup(), IdentityFanIn())
        return await withCheckedContinuation { continuation in
            withIdentityLevels(levels) {
                for contributor in contributors {
                    withIdentity(contributor) { queue.async(group: group, joining: fanIn) {} }
                }
                withIdentity(eve) {
                    group.propagatingIdentity.notify(queue: queue.base, joining: fanIn, as: rule) { joined in
                        continuation.resume(
                            returning: Outcome(identity: .current, joined: joined, trigger: .current)
                        )
                    }
                }
            }
        }
    }

    @Test("runs as its registrant, and can see who contributed and who finished last", .rule("4.11"))
    func registrant() async {
        let outcome = await follow([ada, grace, ada], as: .registrant)
        #expect(outcome.identity == eve)
        #expect(outcome.joined == .mixed([ada, grace]))
        #expect(outcome.trigger?.identity == ada)
        #expect("\(outcome.joined)" == "ada@contoso.com and grace@contoso.com")
    }

    @Test(
        "runs as the contributors if they are all the same",
        .rule("4.11"),
        arguments: [try Identity("ada@contoso.com"), .nobody, nil]
    )
    func same(_ contributor: Identity?) async {
        let outcome = await follow([contributor, contributor], as: .contributors)
        #expect(outcome.identity == contributor)
        #expect(outcome.joined == .same(contributor))
    }

    @Test("runs as nobody if they differ, and reports that instead of guessing", .rule("4.11"))
    func mixed() async {
        let found = FindingNotes { _ in }
        let outcome = await follow([ada, nil], as: .contributors, under: found.levels)
        #expect(outcome.identity == .nobody)
        #expect(outcome.joined == .mixed([ada, nil]))
        #expect(found.all.map(\.kind) == [.mixedJoin])
        #expect(found.all.first?.message.hasPrefix("work of ada@contoso.com and unset came together") == true)
    }

    @Test("treats one name as mixed if its actors differ, or it was revoked in between", .rule("4.11"))
    func differingOwners() async throws {
        let (byGrace, byEve) = (try ada.acted(by: grace), try ada.acted(by: eve))
        for contributors in [[ada, byGrace], [byGrace, ada], [byGrace, byEve]] {
            let found = FindingNotes { _ in }
            let outcome = await follow(contributors, as: .contributors, under: found.levels)
            #expect(outcome.identity == .nobody && outcome.joined == .mixed([ada]))
            #expect(found.all.first?.message.contains("ada@contoso.com by grace@contoso.com") == true)
        }
        #expect(await follow([byGrace, byGrace], as: .contributors).identity?.actor == byGrace.actor)
        try await Revocation.whileOn { ada in
            let fanIn = IdentityFanIn()
            withIdentity(ada) { fanIn.contribute() }
            IdentityRevocation.revoke(ada, for: .signedOut)
            IdentityRevocation.readmit(ada)
            withIdentity(ada) { fanIn.contribute() }
            #expect(fanIn.joined == .mixed([ada]))
            fanIn.wrap(as: .contributors) { _ in #expect(Identity.current == .nobody) }()
        }
    }

    @Test(
        "runs as nobody if its identity or an actor was revoked since, readmitted or not",
        .rule("10.5"),
        arguments: [false, true]
    )
    func revokedSince(_ isReadmitted: Bool) async throws {
        try await Revocation.whileOn { ada in
            let bob = try Revocation.newIdentity("bob")
            let acted = try bob.acted(by: ada)
            for (contributor, rule) in [
                (ada, IdentityFanIn.Rule.contributors), (bob, .explicit(ada)), (acted, .contributors),
            ] {
                let (fanIn, seen) = (IdentityFanIn(), Notes<Standing>())
                withIdentity(contributor) { fanIn.contribute() }
                let follow = withIdentity(eve) { fanIn.wrap(as: rule) { _ in seen.add(.here) } }
                IdentityRevocation.revoke(ada, for: .signedOut)
                if isReadmitted { IdentityRevocation.readmit(ada) }
                follow()
                #expect(seen.all == [.revoked(ada, .signedOut)])
                #expect(IdentityRevocation.workInFlight(of: ada).running == 0)
                IdentityRevocation.readmit(ada)
            }
        }
    }

    @Test("remembers revoked work that contributed, or that registered it as nobody", .rule("10.1"))
    func afterRevokedWork() async throws {
        try await Revocation.whileOn { ada in
            let seen = Notes<Standing>()
            let revoked = withIdentity(ada) { IdentitySnapshot.capture() }
            IdentityRevocation.revoke(ada, for: .signedOut)
            for rule in [IdentityFanIn.Rule.contributors, .explicit(.nobody), .registrant] {
                let fanIn = IdentityFanIn()
                revoked.restore { fanIn.contribute() }
                let registrant = rule == .contributors ? IdentitySnapshot(of: eve) : revoked
                registrant.restore { fanIn.wrap(as: rule) { _ in seen.add(.here) } }()
            }
            #expect(seen.all == Array(repeating: .revoked(ada, .signedOut), count: 3))
        }
    }

    @Test("runs as its registrant if no one contributed", .rule("4.11"))
    func none() async {
        let outcome = await follow([], as: .contributors)
        #expect(outcome == Outcome(identity: eve, joined: .none, trigger: nil))
        #expect("\(outcome.joined)" == "no one")
    }

    @Test("runs as the named identity", .rule("4.11"), arguments: [try Identity("service@contoso.com"), .nobody, nil])
    func explicit(_ identity: Identity?) async {
        let outcome = await follow([ada, grace], as: .explicit(identity))
        #expect(outcome.identity == identity)
    }

    @Test("a barrier follows earlier work, and then the fan-in starts again", .rule("4.11"))
    func barrier() async {
        let queue = IdentityQueue(label: "barrier", attributes: .concurrent)
        let fanIn = IdentityFanIn()
        let joins = Notes<IdentityFanIn.Joined>()
        for contributor in [ada, grace] {
            withIdentity(contributor) {
                for _ in 0..<3 { queue.async(joining: fanIn) {} }
                queue.async(flags: .barrier, execute: fanIn.wrap(as: .contributors) { joins.add($0) })
                queue.base.sync(flags: .barrier) {}
            }
        }
        #expect(joins.all == [.same(ada), .same(grace)])
        #expect(fanIn.joined == .none)
    }

    @Test("only the handler has a trigger", .rule("4.10"))
    func trigger() async {
        let inner = await withCheckedContinuation { (continuation: CheckedContinuation<IdentityTrigger?, Never>) in
            let captured = withIdentity(ada) { BoundaryCapture(at: .notify) }
            captured.restore(triggeredBy: IdentitySnapshot(of: grace)) {
                #expect(IdentityTrigger.current?.identity == grace)
                #expect(Identity.current == ada)
                IdentityQueue(label: "further").async { continuation.resume(returning: .current) }
            }
            captured.restore(triggeredBy: IdentitySnapshot(of: nil)) {
                #expect(IdentityTrigger.current == IdentityTrigger(identity: nil), "set off where nothing was bound")
            }
            captured.restore(triggeredBy: nil) { #expect(IdentityTrigger.current == nil, "not known") }
        }
        #expect(inner == nil)
        #expect(IdentityTrigger.current == nil)
    }
}
