import Dispatch
import MultiIdentity
import MultiIdentityDiagnostics
import MultiIdentityPolicy

/// Rule 4.14: Ada's delivery starts in Grace's call, and automatic mode infers that it is Grace's.
///
/// Ada registers a handler, and the user who resolves hands it over. Three public packages do so (Docs/Reliability.md).
enum InferenceCases {
    /// The answers that Ada's closure gets.
    private struct Found: Sendable {
        let current: Identity?
        let required: Identity?
        let effective: EffectiveIdentity
        let mayLog: PolicyDecision

        init(_ accounts: Accounts) {
            current = .current
            required = try? Identity.required()
            effective = .current(for: .files)
            mayLog = accounts.decide(.log, for: effective.identity)
        }
    }

    static func check(_ cases: inout Cases) async {
        defer { IdentityInference.effect = .decides }
        guard let ada = try? Identity("ada@contoso.com"), let grace = try? Identity("grace@contoso.com") else { return }
        let accounts = Accounts(mode: .multi, policies: PolicyFeed(PolicySet([grace: .everything])))
        func found(wrapped: Bool = false) async -> Found {
            await withCheckedContinuation { continuation in
                let registered = withIdentity(ada) {
                    let handler: @Sendable () -> Void = { continuation.resume(returning: Found(accounts)) }
                    return wrapped ? IdentitySnapshot.capture().wrap(handler) : handler
                }
                withIdentity(grace) { DispatchQueue(label: "done on").async(execute: registered) }
            }
        }
        await cases.check("inferred: it is grace's, and decides") {
            let found = await found()
            try expect([found.current, found.required, found.effective.identity], [grace, grace, grace])
            try expect(found.mayLog.isAllowed, true)
        }
        IdentityInference.effect = .isOnlyShown
        await cases.check("inferred, only shown: it decides nothing") {
            let found = await found()
            try expect([found.current, found.required, found.effective.identity], [grace, nil, .nobody])
            try expect(found.effective.explanation.inference != nil, true)
            try expect(found.mayLog.rule, .inferred)
        }
        await cases.check("inferred, only shown: it is ada's where she wraps it") {
            let found = await found(wrapped: true)
            try expect([found.required, found.effective.identity], [ada, ada])
        }
        await cases.check(
            "inferred, only shown: what is waited for, and an item where it was made, decides as in plain calls"
        ) {
            try withIdentity(ada) {
                try expect(DispatchQueue(label: "sync").sync { try? Identity.required() }, ada)
                try expect(DispatchQueue(label: "sync").sync(flags: .barrier) { try? Identity.required() }, ada)
                let required = Notes<Identity?>()
                DispatchWorkItem { required.add(try? Identity.required()) }.perform()
                try expect(required.all, [ada])
            }
        }
    }
}
