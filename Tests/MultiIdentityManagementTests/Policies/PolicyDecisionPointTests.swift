import Foundation
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@Suite("A policy decision point", .rule("19.5")) struct PolicyDecisionPointTests {
    private final class Point: Sendable {
        struct Failure: Error {}
        let answer: @Sendable ([UInt8]) async throws -> String
        let requests = Locked<[[UInt8]]>([])

        init(_ answer: @escaping @Sendable ([UInt8]) async throws -> String) { self.answer = answer }

        func evaluate(_ request: [UInt8]) async throws -> [UInt8] {
            requests.withLock { $0.append(request) }
            return Array(try await answer(request).utf8)
        }

        var last: NSDictionary? {
            requests.withLock { $0.last }.flatMap { try? JSONSerialization.jsonObject(with: Data($0)) as? NSDictionary }
        }
    }

    private let ada = RegistryScene.account()
    private let audit = RecordingAudit()

    private func accounts(_ policy: Policy = .everything) throws -> Accounts {
        let policies = PolicyFeed(PolicySet(standard: policy))
        let accounts = Accounts(mode: .multi, policies: policies, levels: IdentityLevels(), audit: audit)
        try accounts.enroll(ada)
        return accounts
    }

    @Test("decides what the policies allow, and says why") func decidesWhatThePoliciesAllow() async throws {
        let accounts = try accounts()
        for (answer, isAllowed, reason) in [
            (#"{"decision": true}"#, true, "it has decided so"),
            (#"{"decision": false}"#, false, "it has decided so"),
            (
                #"{"context": {"id": "1", "reason_user": {"en": "No."}, "reason_admin": {"en": "policy 7"}}, "decision": false}"#,
                false, "it has decided so: \"policy 7\""
            ),
            (
                #"{"decision": false, "context": {"reason_user": {"de": "Nein\n"}}}"#.replacing("\n", with: "\\n"),
                false, "it has decided so: \"Nein\\n\""
            ),
            (#"{"decision": false, "context": 7}"#, false, "it has decided so"),
        ] {
            let point = Point { _ in answer }
            let decision = await PolicyDecisionPoint(point.evaluate).decide(.log, for: ada, in: accounts)
            #expect(decision.isAllowed == isAllowed && decision.rule == .decisionPoint && decision.identity == ada)
            #expect(
                decision.reason
                    == "\(ada) \(isAllowed ? "may" : "may not") log its data: of the decision point, \(reason)"
            )
        }
        #expect(audit.events.withLock { $0.count { $0.kind == .refused } } == 4)
    }

    @Test("allows nothing that the policies refuse, and no revoked identity, and is not asked then")
    func allowsNothingThatIsRefused() async throws {
        let point = Point { _ in #"{"decision": true}"# }
        let closed = try accounts(.nothing)
        let decision = await PolicyDecisionPoint(point.evaluate).decide(.sendOut, for: ada, in: closed)
        #expect(!decision.isAllowed && decision.rule == .sendOut)
        let (open, actor) = (try accounts(), RegistryScene.account())
        IdentityRevocation.revoke(actor, for: .signedOut)
        let acted = try ada.acted(by: actor)
        let revoked = await PolicyDecisionPoint(point.evaluate).decide(.sendOut, for: acted, in: open)
        #expect(!revoked.isAllowed && revoked.rule == .revoked && revoked.reason.contains("\(actor) is signed out"))
        #expect(point.requests.withLock { $0.isEmpty })
    }

    @Test("refuses if it does not answer, or gives an unreadable answer") func refusesWithoutAnAnswer() async throws {
        let accounts = try accounts()
        for answer in [
            "", "[]", "{}", #"{"decision": "true"}"#, #"{"decision": null}"#, #"{"decision": true"#,
            #"{"decision": true, "decision": false}"#,
        ] {
            let decision = await PolicyDecisionPoint(Point { _ in answer }.evaluate).decide(
                .log,
                for: ada,
                in: accounts
            )
            #expect(!decision.isAllowed && decision.reason.hasSuffix("its answer could not be read"), "\(answer)")
        }
        let failing = Point { _ in throw Point.Failure() }
        let failed = await PolicyDecisionPoint(failing.evaluate).decide(.log, for: ada, in: accounts)
        #expect(!failed.isAllowed && failed.reason.contains("could not be asked: an error of type Failure"))
        let (clock, gate) = (SteppedClock(), Promise<Void>())
        let hanging = Point { _ in
            await gate.wait()
            return #"{"decision": true}"#
        }
        async let late = PolicyDecisionPoint(hanging.evaluate, limit: .seconds(2), clock: clock).decide(
            .log,
            for: ada,
            in: accounts
        )
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        #expect(await late.reason.hasSuffix("it did not answer in time"))
        gate.give(())
    }

    @Test("refuses what the policies no longer allow when it answers, and identities revoked by then")
    func refusesWhatIsNoLongerAllowed() async throws {
        let feed = PolicyFeed(PolicySet(standard: .everything))
        let accounts = Accounts(mode: .multi, policies: feed, levels: IdentityLevels(), audit: audit)
        let bob = RegistryScene.account()
        for identity in [ada, bob] { try accounts.enroll(identity) }
        let revoking = Point { [ada] _ in
            IdentityRevocation.revoke(ada, for: .signedOut)
            return #"{"decision": true}"#
        }
        #expect(await PolicyDecisionPoint(revoking.evaluate).decide(.log, for: ada, in: accounts).rule == .revoked)
        let replacing = Point { _ in
            feed.publish(PolicySet(standard: .nothing))
            return #"{"decision": true}"#
        }
        let decision = await PolicyDecisionPoint(replacing.evaluate).decide(.log, for: bob, in: accounts)
        #expect(!decision.isAllowed && decision.rule == .log)
    }

    @Test("is asked with one spelling of each name, folded and composed") func isAskedWithOneSpelling() async throws {
        let (accounts, point) = (try accounts(), Point { _ in #"{"decision": true}"# })
        var requests: [[UInt8]] = []
        for name in ["zoë@contoso.com", "Zoe\u{308}@Contoso.COM", "ZOË@contoso.com"] {
            let zoe = try Identity(name)
            for question in [
                PolicyQuestion.log, .notify(showing: .withoutDetails), .share(with: zoe),
                .open(from: try .space(of: zoe)),
                .save(to: try .service("box", account: .identity(zoe))),
            ] {
                _ = await PolicyDecisionPoint(point.evaluate).decide(
                    question,
                    for: try zoe.acted(by: Identity("Support")),
                    in: accounts
                )
            }
            let asked = point.requests.withLock { Array($0.suffix(5)) }
            #expect(asked.allSatisfy { String(decoding: $0, as: UTF8.self).utf8.contains("\"zoë@contoso.com\"".utf8) })
            if requests.isEmpty { requests = asked }
            #expect(asked == requests, "\(name)")
        }
    }

    @Test("is asked in the form of AuthZEN") func isAskedAsTheStandardHasIt() async throws {
        let (accounts, point) = (try accounts(), Point { _ in #"{"decision": true}"# })
        let decisions = PolicyDecisionPoint(point.evaluate)
        func asked(_ question: PolicyQuestion, _ identity: Identity?) async -> String {
            _ = await decisions.decide(question, for: identity, in: accounts)
            let request = point.requests.withLock { $0.last } ?? []
            return String(decoding: request, as: UTF8.self)
        }
        let acted = try ada.acted(by: Identity("support \"1\""))
        #expect(
            await asked(.save(to: try .service("box", account: .foreign(name: "a", at: ServiceName("box")))), acted)
                == """
                {"subject": {"type": "identity", "id": "\(ada)", "properties": {"managed": true, "actors": ["support \\"1\\""]}}, \
                "action": {"name": "save"}, "resource": {"type": "service", "id": "box", "properties": {"account": "a", "accountService": "box"}}}
                """
        )
        #expect(
            await asked(.notify(showing: .withoutDetails), .nobody) == """
                {"subject": {"type": "nobody", "id": "", "properties": {"managed": false, "actors": []}}, \
                "action": {"name": "notify"}, "resource": {"type": "data", "id": "", "properties": {"showing": "withoutDetails"}}}
                """
        )
        #expect(
            await asked(.share(with: nil), nil).contains(
                #""action": {"name": "share"}, "resource": {"type": "none", "id": """#
            )
        )
        #expect(
            await asked(.open(from: try .space(of: ada)), ada).contains(
                #""resource": {"type": "space", "id": "\#(ada)""#
            )
        )
        for question in [
            PolicyQuestion.log, .sendOut, .automate, .open(from: .deviceInput), .save(to: .other),
            .save(to: .localStorage),
        ] {
            _ = await decisions.decide(question, for: ada, in: accounts)
            #expect(point.last?["subject"] != nil && point.last?["action"] != nil && point.last?["resource"] != nil)
        }
    }
}
