import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("The sentinel of workers", .rule("7.6")) struct PoolSentinelTests {
    /// Returns work that leaves its thread under `grace`, as only a bug in this package or unsafe code could.
    private func leaveDirty() -> @Sendable () -> Void {
        let grace = IdentitySnapshot(of: grace)
        return {
            _ = ThreadMirror.show(ThreadMirror.bits(of: grace))
            withExtendedLifetime(grace) {}
        }
    }

    @Test("names the work that changed its worker, and its capture", .aboutTheMirror)
    func dirty() async throws {
        let found = FindingNotes { $0.watchesWorkers = true }
        let leave = leaveDirty()
        await onNewThread {
            withIdentityLevels(found.levels) {
                let captured = withIdentity(ada) {
                    BoundaryCapture(at: .async, of: "mail", "App/Mail.swift", 40)
                }
                captured.restore(leave)
            }
        }
        let finding = try #require(found.all.first)
        #expect(finding.kind == .dirtyWorker)
        #expect(finding.site?.description == "App/Mail.swift:40")
        #expect(
            finding.message.hasPrefix(
                """
                work of ada@contoso.com, async on "mail", captured at App/Mail.swift:40, left its worker as \
                grace@contoso.com (the task-local disagrees), but received it as ada@contoso.com
                """
            )
        )
    }

    @Test("is silent about work that binds, throws and nests correctly") func clean() async {
        let found = FindingNotes { $0.watchesWorkers = true }
        await onNewThread {
            withIdentityLevels(found.levels) {
                let snapshot = withIdentity(ada) { IdentitySnapshot.capture() }
                for _ in 0..<3 {
                    snapshot.restore { withIdentity(grace) { snapshot.restore { withIdentity(nil) {} } } }
                    try? snapshot.restore { () throws -> Void in
                        try withIdentity(grace) { throw CancellationError() }
                    }
                }
            }
        }
        #expect(found.all.isEmpty)
    }

    @Test("watches nothing unless it is turned on") func off() async {
        let found = FindingNotes { _ in }
        let leave = leaveDirty()
        await onNewThread {
            withIdentityLevels(found.levels) { withIdentity(ada) { BoundaryCapture(at: .async) }.restore(leave) }
        }
        #expect(found.all.isEmpty)
    }
}
