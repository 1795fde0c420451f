import Dispatch
import MultiIdentity
import MultiIdentityTesting
import Testing

@Suite("A test with its own levels") struct LevelsTraitTests {
    @Test("starts with them unset, separate from the process's levels", .rule("2.6"), .identityLevels())
    func unset() {
        #expect(IdentityLevels.current !== IdentityLevels.shared)
        #expect(IdentityLevels.current.process == nil)
        #expect(IdentityLevels.current.ui == nil)
        #expect(Identity.current == nil)
    }

    @Test(
        "starts with the levels of the trait, also on main",
        .identityLevels(process: ada, ui: grace, mainProbe: { true })
    )
    func given() async {
        #expect(EffectiveIdentity.current(for: .files).identity == ada)
        #expect(EffectiveIdentity.current(for: .ui).identity == grace)
        await withCheckedContinuation { continuation in
            IdentityQueue(label: "queue").async {
                #expect(EffectiveIdentity.current(for: .ui).identity == grace)
                continuation.resume()
            }
        }
    }

    @Test("sees nothing of its other cases, which run in parallel", .rule("2.6"), .identityLevels(), arguments: 0..<50)
    func cases(_ number: Int) async throws {
        #expect(IdentityLevels.current.process == nil)
        let own = try Identity("case-\(number)@contoso.com")
        IdentityLevels.current.process = own
        for _ in 0..<20 {
            await Task.yield()
            #expect(EffectiveIdentity.current(for: .files).identity == own)
        }
        #expect(IdentityLevels.shared.process == nil)
    }
}

@Suite("A suite with levels", .identityLevels(process: ada)) struct LevelsSuiteTests {
    @Test("gives each test new levels", .rule("2.6"), arguments: 0..<10)
    func each(_ number: Int) {
        #expect(IdentityLevels.current.process == ada)
        IdentityLevels.current.process = grace
    }

    @Test("is overridden by the test's own trait", .rule("2.6"), .identityLevels(process: grace))
    func own() {
        #expect(IdentityLevels.current.process == grace)
    }

    @Suite("and a suite inside") struct Inner {
        @Test("gives them to the inner suite's tests as well", .rule("2.6"))
        func inner() { #expect(IdentityLevels.current.process == ada) }
    }
}

@Suite("A suite with an identity", .identity(ada)) struct IdentitySuiteTests {
    @Test("runs each test as it, before and after a suspension", .rule("2.6"), arguments: 0..<5)
    func each(_ number: Int) async {
        #expect(Identity.current == ada)
        await Task.yield()
        #expect(Identity.current == ada)
    }

    @Test("is overridden by the test's own trait", .rule("2.6"), .identity(grace))
    func own() { #expect(Identity.current == grace) }

    @Test("is overridden by a test that names its own", .identity(named: "Grace@contoso.com"))
    func named() { #expect(Identity.current == grace) }

    @Test("is overridden by a test that unsets it", .identity(nil))
    func unset() { #expect(Identity.current == nil) }

    @Test("combines with levels, in either order", .identityLevels(process: grace), .identity(.nobody))
    func levels() {
        #expect(Identity.current == .nobody)
        #expect(IdentityLevels.current.process == grace)
    }

    @Suite("and a suite inside", .identityLevels(process: grace)) struct Inner {
        @Test("runs the inner suite's tests as it too")
        func inner() {
            #expect(Identity.current == ada)
            #expect(IdentityLevels.current.process == grace)
        }
    }

    @Test("fails a test whose trait has an invalid name, and does not run it")
    func invalidName() async throws {
        let test = try #require(Test.current)
        let levels = IdentityLevelsTrait.identityLevels(process: try Identity(""))
        let traits: [any TestScoping] = [IdentityTrait.identity(named: ""), levels]
        for trait in traits {
            await #expect(throws: IdentityError.self) {
                try await trait.provideScope(for: test, testCase: nil) { Issue.record("It ran.") }
            }
        }
    }

    /// Initialized inside the scope, so that a suite's setup belongs to the test's identity.
    private let identityAtSetUp = Identity.current

    @Test("sets up each test as it", .rule("2.6"))
    func setUp() { #expect(identityAtSetUp == ada) }
}
