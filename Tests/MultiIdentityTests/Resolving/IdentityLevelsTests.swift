import MultiIdentity
import Testing

@Suite("The process and UI levels are set explicitly, from any thread") struct IdentityLevelsTests {
    @Test("all start unset", .rule("2.1"))
    func unset() {
        let levels = IdentityLevels()
        #expect(levels.process == nil)
        #expect(levels.ui == nil)
        for purpose in EffectiveIdentity.Purpose.allCases {
            let effective = withIdentityLevels(levels) { withIdentity(nil) { EffectiveIdentity.current(for: purpose) } }
            #expect(effective.identity == nil)
            #expect(effective.level == nil)
        }
    }

    @Test("each is unset, nobody or a name, independently of the other", .rule("2.1"))
    func values() throws {
        let ada = try Identity("Ada@contoso.com")
        let levels = IdentityLevels(process: ada, ui: .nobody)
        #expect(levels.process?.name == "Ada@contoso.com")
        #expect(levels.ui == .nobody)
        levels.process = nil
        levels.ui = ada
        #expect(levels.process == nil)
        #expect(levels.ui == ada)
        levels.process = .nobody
        #expect(levels.process == .nobody)
    }

    @Test("a reader sees some writer's complete value, while many write", .rule("2.1"), .timeLimit(.minutes(20)))
    func atomicity() async throws {
        let levels = IdentityLevels()
        let names = Set((0..<8).map { "user-\($0)@contoso.com" })
        let foreign = await withTaskGroup(of: Int.self) { group in
            for name in names {
                group.addTask {
                    for round in 0..<2_000 {
                        let identity = try? Identity(name)
                        levels.process = round.isMultiple(of: 3) ? nil : identity
                        levels.ui = round.isMultiple(of: 5) ? .nobody : identity
                    }
                    return 0
                }
            }
            group.addTask {
                (0..<20_000).reduce(0) { foreign, _ in
                    let (process, ui) = (levels.process, levels.ui)
                    let isKnown = process.map { names.contains($0.name) } ?? true
                    let uiIsKnown = ui.map { $0.isNobody || names.contains($0.name) } ?? true
                    return foreign + (isKnown && uiIsKnown ? 0 : 1)
                }
            }
            return await group.reduce(0, +)
        }
        #expect(foreign == 0)
    }

    @Test("custom levels hide the shared ones, nest, and end with their scope", .rule("2.6"))
    func own() throws {
        #expect(IdentityLevels.current === IdentityLevels.shared)
        let (outer, inner) = (IdentityLevels(process: ada), IdentityLevels(process: grace))
        withIdentityLevels(outer) {
            #expect(IdentityLevels.current === outer)
            withIdentityLevels(inner) { #expect(EffectiveIdentity.current(for: .files).identity == grace) }
            #expect(EffectiveIdentity.current(for: .files).identity == ada)
        }
        #expect(IdentityLevels.current === IdentityLevels.shared)
    }

    @Test("custom levels leave the thread level unchanged, and scopes inside leave the levels unchanged", .rule("2.6"))
    func threadLevel() throws {
        withIdentity(ada) {
            withIdentityLevels(process: grace, ui: grace) {
                #expect(Identity.current == ada)
                withIdentity(nil) {
                    #expect(Identity.current == nil)
                    #expect(EffectiveIdentity.current(for: .files).identity == grace)
                }
                #expect(EffectiveIdentity.current(for: .files).identity == ada)
            }
            #expect(Identity.current == ada)
        }
    }

    private enum Refused: Error { case always }

    @Test("their scope returns values and keeps the type of errors, synchronous or not")
    func results() async {
        #expect(withIdentityLevels(process: .nobody) { 7 } == 7)
        #expect(
            await withIdentityLevels(process: .nobody) {
                await Task.yield(); return 7
            } == 7
        )
        do throws(Refused) {
            try withIdentityLevels(IdentityLevels()) { () throws(Refused) in throw .always }
        } catch { #expect(error == .always) }
        do throws(Refused) {
            try await withIdentityLevels(ui: .nobody) { () async throws(Refused) in throw .always }
        } catch { #expect(error == .always) }
        #expect(IdentityLevels.current === IdentityLevels.shared)
    }

    @Test("values are read live: a change in the middle of a scope counts at once, on any thread", .rule("2.1"))
    func live() async throws {
        let levels = IdentityLevels(process: ada, mainProbe: { true })
        await withIdentityLevels(levels) {
            #expect(EffectiveIdentity.current(for: .files).identity == ada)
            await onNewThread { levels.process = grace }
            #expect(EffectiveIdentity.current(for: .files).identity == grace)
            levels.ui = .nobody
            #expect(EffectiveIdentity.current(for: .ui).identity == .nobody)
            levels.mainProbe = { false }
            #expect(EffectiveIdentity.current(for: .ui).identity == grace)
            levels.process = nil
            #expect(EffectiveIdentity.current(for: .ui).identity == nil)
        }
    }

    private final class AsksAsItGoes: Sendable {
        deinit { _ = EffectiveIdentity.current(for: .ui).level }
    }

    @Test("a replaced probe can read levels while it is freed")
    func probeGoes() {
        let levels = IdentityLevels()
        withIdentityLevels(levels) {
            func replace() {
                let asks = AsksAsItGoes()
                levels.mainProbe = { withExtendedLifetime(asks) { false } }
            }
            replace()
            levels.mainProbe = { true }
            #expect(levels.mainProbe())
        }
    }
}
