import Foundation
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityManagementNetworking
import MultiIdentityPolicy
import Testing

/// Engines of others, started by `.ci/check-decision-engines`, which says where they are; both have the policy of
/// `.ci/decision-engines`.
@Suite("A policy decision point of others") struct DecisionEngineTests {
    private static let engines = (ProcessInfo.processInfo.environment["DECISION_ENGINES"] ?? "").split(separator: " ")
        .compactMap { entry -> (name: String, url: URL)? in
            let parts = entry.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let url = URL(string: String(parts[1])) else { return nil }
            return (String(parts[0]), url)
        }

    @Test(
        "answers each question as its policy says, whichever engine it is",
        .rule("19.5"),
        .enabled(if: !engines.isEmpty, "takes .ci/check-decision-engines")
    )
    func answersEachQuestion() async throws {
        let (ada, bob) = (try Identity("ada@contoso.com"), try Identity("bob@contoso.com"))
        let (eve, helped) = (try Identity("eve@example.com"), try ada.acted(by: Identity("support")))
        let accounts = Accounts(
            mode: .multi,
            policies: PolicyFeed(PolicySet([ada: .everything, bob: .everything])),
            levels: IdentityLevels()
        )
        let drive = try DataPlace.service("drive", account: .identity(ada))
        let cases: [(PolicyQuestion, Identity?, Bool)] = [
            (.save(to: drive), ada, true), (.save(to: .other), ada, true), (.save(to: .localStorage), ada, false),
            (.save(to: drive), eve, false), (.save(to: drive), helped, false), (.save(to: .other), nil, false),
            (.save(to: try .space(of: ada)), helped, true), (.save(to: try .space(of: bob)), helped, false),
            (.open(from: .other), ada, true), (.open(from: .other), eve, true), (.open(from: .other), .nobody, false),
            (.open(from: .deviceInput), ada, false), (.open(from: .other), nil, false),
            (.share(with: bob), ada, true), (.share(with: eve), ada, false), (.share(with: nil), ada, false),
            (.share(with: bob), .nobody, true), (.log, ada, true), (.log, nil, true), (.sendOut, ada, false),
            (.notify(showing: .withoutDetails), ada, true), (.notify(showing: .everything), ada, false),
            (.automate, ada, false),
        ]
        for engine in Self.engines {
            let point = PolicyDecisionPoint(URLSessionTransport(engine.url), limit: .seconds(20))
            for (question, identity, isAllowed) in cases {
                let decision = await point.decide(question, for: identity, in: accounts)
                #expect(decision.isAllowed == isAllowed, "\(engine.name): \(decision)")
                #expect(decision.rule == .decisionPoint, "\(engine.name): \(decision)")
                #expect(!decision.reason.contains("could not be asked"), "\(engine.name): \(decision)")
            }
        }
    }
}
