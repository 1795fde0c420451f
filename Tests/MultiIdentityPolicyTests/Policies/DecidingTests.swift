import MultiIdentity
import MultiIdentityPolicy
import Testing

/// Each cell names the one policy key that decides it; the tests then allow only that key, and all keys but that one.
@Suite("A policy decision") struct DecidingTests {
    private static let ada = Users.ada
    private static let bob = Users.bob
    private static let eve = Users.eve

    /// The keys of `saveTo` and `openFrom`, each with rules that allow it and nothing else.
    private static let opened: KeyValuePairs<String, PlaceRules> = [
        "localStorage": PlaceRules(localStorage: true), "ownDocuments": PlaceRules(ownDocuments: true),
        "spaces": PlaceRules(spaces: .anyone), "deviceInput": PlaceRules(deviceInput: true),
        "other": PlaceRules(other: true),
    ]

    private static func rules(open key: String, listing rule: ServiceRule?) -> PlaceRules {
        var rules = opened.first { $0.key == key }?.value ?? .nowhere
        if let rule { rules.services = [service("box"): rule] }
        return rules
    }

    private static func rules(openAllBut key: String, listing rule: ServiceRule?) -> PlaceRules {
        let rules = PlaceRules(
            localStorage: key != "localStorage",
            ownDocuments: key != "ownDocuments",
            services: rule.map { [service("box"): $0] } ?? [:],
            spaces: key == "spaces" ? .noOne : .anyone,
            deviceInput: key != "deviceInput",
            other: key != "other"
        )
        return rules
    }

    private static func service(_ name: String) -> ServiceName {
        do { return try ServiceName(name) } catch { fatalError("\(error)") }
    }

    private static func place(_ kind: DataPlace.Kind, _ account: PlaceAccount? = nil) -> DataPlace {
        do { return try DataPlace(kind, account: account) } catch { fatalError("\(error)") }
    }

    /// The keys that decide for Ada if the policy has this rule for the service.
    private static let keys: [(place: DataPlace, listed: ServiceRule?, key: String)] = {
        let box = DataPlace.Kind.service(service("box"))
        let accounts: [PlaceAccount?] = [
            nil, .identity(ada), .identity(Users.named("ADA@Contoso.COM")), .identity(eve),
            .foreign(name: "ada@contoso.com", at: service("box")),
        ]
        let isOwn = [false, true, true, false, false]
        var keys: [(DataPlace, ServiceRule?, String)] = []
        for listed in [nil] + ServiceRule.allCases.map(Optional.some) {
            keys += [
                (.localStorage, listed, "localStorage"), (.deviceInput, listed, "deviceInput"),
                (.other, listed, "other"),
                (place(.space(ada)), listed, "ownDocuments"), (place(.space(eve)), listed, "spaces"),
            ]
            for (account, isOwn) in zip(accounts, isOwn) {
                keys.append((place(.other, account), listed, isOwn ? "ownDocuments" : "other"))
                let key =
                    switch (listed, isOwn) {
                    case (nil, true): "ownDocuments"
                    case (nil, false), (.ownAccount?, false): "other"
                    case (.refused?, _), (.anyAccount?, _), (.ownAccount?, true): "services.box"
                    }
                keys.append((place(box, account), listed, key))
            }
        }
        return keys
    }()

    @Test("is made for each target to share with, and offers allowed ones", .rule("8.3"), .guide("share targets"))
    func forEachTarget() {
        var adas = Policy.nothing
        adas.shareWith = .only([Self.bob, Self.eve])
        var bobs = Policy.nothing
        bobs.receiveFrom = .anyone
        let policies = PolicyFeed(PolicySet([Self.ada: adas, Self.bob: bobs, Self.eve: .nothing]))
        let accounts = Accounts(mode: .multi, policies: policies, levels: IdentityLevels())
        let targets = [Self.bob, Self.eve, .nobody]
        #expect(targets.filter { accounts.decide(.share(with: $0), for: Self.ada).isAllowed } == [Self.bob])
    }

    private func decide(_ question: PolicyQuestion, for identity: Identity?, _ policies: [Identity: Policy])
        -> PolicyDecision
    {
        Accounts(mode: .multi, policies: PolicyFeed(PolicySet(policies)), levels: IdentityLevels())
            .decide(question, for: identity)
    }

    @Test(
        "about a place depends on exactly one key of the policy",
        .rule("8.3"),
        .guide("policy questions"),
        arguments: keys
    )
    func places(_ place: DataPlace, _ listed: ServiceRule?, _ key: String) {
        let allows = key == "services.box" ? listed != .refused : nil
        for (rules, expected) in [
            (Self.rules(open: key, listing: listed), allows ?? true),
            (Self.rules(openAllBut: key, listing: listed), allows ?? false),
        ] {
            let opening = decide(.open(from: place), for: Self.ada, [Self.ada: Policy(openFrom: rules)])
            #expect(opening.isAllowed == expected, "\(opening)")
            #expect(opening.rule.description == "openFrom.\(key)")
            #expect(opening.policyOwner == Self.ada)
            let saving = decide(.save(to: place), for: Self.ada, [Self.ada: Policy(saveTo: rules)])
            #expect(saving.isAllowed == (expected && key != "deviceInput"), "\(saving)")
            #expect(saving.rule.description == "saveTo.\(key)")
            #expect(saving.policyOwner == Self.ada)
        }
    }

    @Test(
        "sets no outward limits to unset, nobody and unmanaged identities",
        .rule("8.1"),
        arguments: [nil, .nobody, eve],
        keys
    )
    func unlimited(_ asker: Identity?, _ cell: (place: DataPlace, listed: ServiceRule?, key: String)) {
        // Into a managed identity's space, which another test covers.
        if cell.place.kind == .space(Self.ada) || cell.place.account == .identity(Self.ada) { return }
        let questions: [PolicyQuestion] = [
            .save(to: cell.place), .open(from: cell.place), .share(with: Self.eve), .share(with: nil), .log, .sendOut,
            .notify(showing: .withoutDetails), .automate,
        ]
        for question in questions {
            let decision = decide(question, for: asker, [Self.ada: .nothing, Self.bob: .nothing])
            #expect(decision.isAllowed, "\(decision)")
            #expect(decision.rule == .unlimited)
            #expect(decision.policyOwner == nil)
            #expect(decision.identity == asker)
        }
    }

    @Test("never treats nobody as managed, whatever a source says", .rule("8.1")) func nobodyIsNeverManaged() {
        let policies = [Identity.nobody: Policy.nothing]
        #expect(decide(.log, for: .nobody, policies).rule == .unlimited)
        let accounts = Accounts(mode: .multi, policies: PolicyFeed(PolicySet(policies)), levels: IdentityLevels())
        #expect(!accounts.isManaged(.nobody))
        #expect(accounts.policy(of: .nobody) == nil)
    }

    /// The identities that a rule admits, of none, nobody, unmanaged Eve and managed Ada.
    private static let admitted: [(rule: IdentityRule, expected: [Bool])] = [
        (.noOne, [false, false, false, false]), (.managed, [false, false, false, true]),
        (.anyone, [true, true, true, true]), (.only([]), [false, false, false, false]),
        (.only([eve]), [false, false, true, false]), (.only([ada, bob]), [false, false, false, true]),
        (.only([ada, eve]), [false, false, true, true]),
    ]

    @Test("about a managed identity's space depends on its policy too", .rule("8.3"), arguments: admitted)
    func intoSpace(_ rule: IdentityRule, _ expected: [Bool]) throws {
        let ways: [(PolicyQuestion, Policy, PolicyRule)] = [
            (.save(to: try .space(of: Self.bob)), Policy(receiveFrom: rule), .receiveFrom),
            (.save(to: try .service("box", account: .identity(Self.bob))), Policy(receiveFrom: rule), .receiveFrom),
            (.share(with: Self.bob), Policy(receiveFrom: rule), .receiveFrom),
            (.open(from: try .space(of: Self.bob)), Policy(shareWith: rule), .shareWith),
            (.open(from: try .service("box", account: .identity(Self.bob))), Policy(shareWith: rule), .shareWith),
        ]
        for (question, policy, decidedBy) in ways {
            for (asker, expected) in zip([nil, Identity.nobody, Self.eve, Self.ada], expected) {
                let decision = decide(question, for: asker, [Self.ada: .everything, Self.bob: policy])
                #expect(decision.isAllowed == expected, "\(decision)")
                #expect(decision.rule == decidedBy)
                #expect(decision.policyOwner == Self.bob)
            }
            // Ada's own policy decides as well, and is asked first.
            let decision = decide(question, for: Self.ada, [Self.ada: .nothing, Self.bob: .everything])
            #expect(!decision.isAllowed)
            #expect(decision.policyOwner == Self.ada)
            // Bob himself is subject to his own policy only.
            let own = decide(question, for: Self.bob, [Self.bob: Policy(saveTo: .anywhere, openFrom: .anywhere)])
            #expect(own.isAllowed, "\(own)")
        }
    }

    @Test("about sharing depends on the recipient", .rule("8.3"), arguments: admitted)
    func sharing(_ rule: IdentityRule, _ expected: [Bool]) {
        for (other, expected) in zip([nil, Identity.nobody, Self.eve, Self.ada], expected) {
            let decision = decide(
                .share(with: other),
                for: Self.bob,
                [Self.ada: .everything, Self.bob: Policy(shareWith: rule)]
            )
            #expect(decision.isAllowed == expected, "\(decision)")
            let spaces = PlaceRules(spaces: rule)
            guard let other, let place = try? DataPlace.space(of: other) else { continue }
            let policies = [Self.ada: Policy.everything, Self.bob: Policy(saveTo: spaces, openFrom: spaces)]
            #expect(decide(.save(to: place), for: Self.bob, policies).isAllowed == expected)
            #expect(decide(.open(from: place), for: Self.bob, policies).isAllowed == expected)
        }
        #expect(
            decide(.share(with: Self.bob), for: Self.bob, [Self.bob: .nothing]).isAllowed,
            "it stays with its identity"
        )
    }

    @Test("covers logging and sending out", .rule("8.3"), arguments: [false, true], [false, true])
    func loggingAndSending(_ log: Bool, _ sendOut: Bool) {
        let policies = [Self.ada: Policy(log: log, sendOut: sendOut)]
        let logging = decide(.log, for: Self.ada, policies)
        #expect(logging.isAllowed == log)
        #expect(logging.rule == .log)
        let sending = decide(.sendOut, for: Self.ada, policies)
        #expect(sending.isAllowed == sendOut)
        #expect(sending.rule == .sendOut)
    }

    @Test(
        "shows as much in notifications as the policy allows, and no more",
        .rule("8.3"),
        .guide("policy questions"),
        arguments: NotificationContent.allCases,
        NotificationContent.allCases
    )
    func notifying(_ most: NotificationContent, _ shown: NotificationContent) {
        let decision = decide(.notify(showing: shown), for: Self.ada, [Self.ada: Policy(notify: most)])
        let isMore = most == .nothing && shown != .nothing || most == .withoutDetails && shown == .everything
        #expect(decision.isAllowed == !isMore, "\(decision)")
        #expect(decision.rule == .notify)
    }

    @Test(
        "covers other programs that act for an identity",
        .rule("8.3"),
        .guide("policy questions"),
        arguments: [false, true]
    )
    func automating(_ isAllowed: Bool) {
        let decision = decide(.automate, for: Self.ada, [Self.ada: Policy(automate: isAllowed)])
        #expect(decision.isAllowed == isAllowed && decision.rule == .automate)
        #expect(decide(.automate, for: Self.eve, [Self.ada: .nothing]).rule == .unlimited)
    }

    @Test(
        "without a bound identity follows the setting",
        .rule("8.5"),
        arguments: UnownedWork.allCases,
        [nil, .nobody, eve, ada]
    )
    func withoutOwner(_ setting: UnownedWork, _ asker: Identity?) throws {
        let accounts = Accounts(
            mode: .multi,
            policies: PolicyFeed(PolicySet([Self.ada: .everything, Self.bob: .everything])),
            withoutOwner: setting,
            levels: IdentityLevels()
        )
        let questions: [PolicyQuestion] = [
            .save(to: .localStorage), .open(from: .deviceInput), .save(to: try .space(of: Self.bob)),
            .share(with: Self.bob), .share(with: nil), .log, .sendOut, .notify(showing: .everything), .automate,
        ]
        let hasNoOwner = asker == nil || asker == .nobody
        for question in questions {
            let decision = accounts.decide(question, for: asker)
            #expect(decision.isAllowed == !(setting == .refused && hasNoOwner), "\(decision)")
            #expect((decision.rule == .withoutOwner) == (setting == .refused && hasNoOwner))
        }
    }

    @Test("tells an operator what decided it", .rule("8.3")) func explained() throws {
        let policies = [Self.ada: Policy(saveTo: PlaceRules(other: false)), Self.bob: Policy()]
        let place = try DataPlace.service("Box", account: .foreign(name: "ada@contoso.com", at: ServiceName("box")))
        #expect(
            decide(.save(to: place), for: Self.ada, policies).description == """
                refused: ada@contoso.com may not save to the service box, reached with "ada@contoso.com" of the service box, \
                which counts as other (rule saveTo.other in the policy of ada@contoso.com)
                """
        )
        #expect(
            decide(.share(with: Self.bob), for: nil, policies).description == """
                refused: work without an identity may not share with bob@contoso.com: bob@contoso.com receives from no \
                other identity (rule receiveFrom in the policy of bob@contoso.com)
                """
        )
        #expect(
            decide(.log, for: Self.eve, policies).description
                == "allowed: eve@example.com may log its data: an unmanaged identity has no limits (rule unlimited)"
        )
        let refusing = decide(.log, for: Self.ada, policies)
        let error = expect(throws: PolicyError.Code.refused) { try refusing.check() }
        #expect(error?.decision == refusing && error.map { "\($0)" } == "\(refusing)")
        try decide(.log, for: Self.eve, policies).check()
    }
}
