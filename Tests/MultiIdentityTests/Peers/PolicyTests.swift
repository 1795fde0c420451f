import Dispatch
import Testing

@testable import MultiIdentity

@Suite("A timer that goes on when its scope has ended") struct PolicyTests {
    private let ada: Identity
    private let grace: Identity

    init() throws {
        ada = try Identity("ada@contoso.com")
        grace = try Identity("grace@contoso.com")
    }

    /// Returns three firings of a timer, with a handler that `set` sets as ada, and which grace starts.
    private func firings(
        _ set: (any DispatchSourceTimer, _ look: @escaping @Sendable () -> Void) -> Void
    ) async -> [Identity?] {
        let seen = Notes<Identity?>()
        await withCheckedContinuation { continuation in
            let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
            let cancel = Carried(timer)
            withIdentity(ada) {
                set(timer) {
                    seen.add(.current)
                    if seen.all.count == 3 { cancel.value.cancel() }
                }
            }
            timer.setCancelHandler { continuation.resume() }
            withIdentity(grace) {
                timer.schedule(deadline: .now(), repeating: .milliseconds(1))
                timer.activate()
            }
        }
        return seen.all
    }

    @Test("carries nothing by itself")
    func plain() async {
        #expect(await firings { timer, look in timer.setEventHandler(handler: look) } == [nil, nil, nil])
    }

    @Test("carries who set its handler, through its view")
    func view() async {
        let seen = await firings { timer, look in timer.propagatingIdentity.setEventHandler(handler: look) }
        #expect(seen == [ada, ada, ada])
    }

    @Test("carries what a supplier gives for each firing")
    func supplier() async {
        let supply = Locked([IdentitySnapshot(of: .nobody), IdentitySnapshot(of: grace), IdentitySnapshot(of: nil)])
        let seen = await firings { timer, look in
            timer.setEventHandler {
                let next = supply.withLock { $0.removeFirst() }
                next.restore(look)
            }
        }
        #expect(seen == [.nobody, grace, nil])
    }

    @Test("is notified of each scope that work outlives, and once of each")
    func outlivedScopes() {
        let found = FindingNotes {
            $0.strictness = .outlivedScopes
            $0.grace = .zero
        }
        let (ada, grace) = (ada, grace)
        let snapshots = withIdentityLevels(found.levels) {
            [ada, grace, ada].map { identity in withIdentity(identity) { IdentitySnapshot.capture() } }
        }
        for _ in 0..<3 { for snapshot in snapshots { snapshot.restore {} } }
        #expect(found.all.map(\.identity) == [ada, grace, ada])
        #expect(found.all.allSatisfy { $0.kind == .outlivedScope })
    }
}
