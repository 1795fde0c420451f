import CMultiIdentity

/// The findings of strict mode: a missing identity, an ended scope, an exceeded budget.
enum StrictMode {
    /// Reports code that asked for an identity if none is bound, also to automatic mode's list.
    static func notifyNone(
        _ asked: String,
        _ check: DiagnosticSettings.Strictness,
        _ site: CallSite?,
        _ snapshot: IdentitySnapshot
    ) {
        if BindingFeatures.inUse.contains(.plainHops), !FindingExemption.isInForce { mi_unbound_read() }
        report(check, snapshot) { hops in
            var message = "\(asked) where no identity is bound"
            if let site { message += ", at \(site)" }
            if hops.isEmpty {
                message += """
                    . No boundary handed this work over: it began here, or a plain queue, thread or detached task brought \
                    it, which carries nothing
                    """
            } else {
                message += ". Nothing was bound where the work was handed over"
            }
            message += """
                . Bind one where the work begins, hand work over through propagatingIdentity, and wrap a kept closure with \
                IdentitySnapshot.capture().wrap.
                """
            return Finding(kind: .noIdentity, identity: nil, site: site, hops: hops, message: message)
        }
    }

    /// Reports code that asked for an identity that automatic mode inferred.
    static func notify(
        _ inference: IdentityInference,
        by asked: String,
        _ check: DiagnosticSettings.Strictness,
        _ site: CallSite?,
        _ snapshot: IdentitySnapshot
    ) {
        guard let identity = snapshot.identity else { return }
        report(check, snapshot) { hops in
            let place = site.map { ", at \($0)" } ?? ""
            let outcome = IdentityInference.effect == .isOnlyShown ? "was not given" : "was given"
            let message = "\(asked)\(place), and \(outcome) \(identity): \(inference.remark)."
            return Finding(kind: .inferredIdentity, identity: identity, site: site, hops: hops, message: message)
        }
    }

    /// Reports code that asked, to its levels' diagnostics and to a watch, unless it is exempt; with its callers.
    private static func report(
        _ check: DiagnosticSettings.Strictness,
        _ snapshot: IdentitySnapshot,
        _ make: ([KeptHop]) -> Finding
    ) {
        let (diagnostics, watch) = (snapshot.levels.diagnosticSettings, FindingWatch.current)
        let isChecked = diagnostics.strictness.contains(check)
        guard isChecked || watch != nil, !FindingExemption.isInForce else { return }
        var finding = make(snapshot.hops)
        finding.origin = .here()
        if isChecked { diagnostics.notify(finding) }
        if let watch { finding.tell(watch.respond) }
    }

    /// Checks whether work runs long after the scope that bound its identity has ended.
    static func look(for contents: BindingFrameContents, _ diagnostics: DiagnosticSettings) {
        guard diagnostics.strictness.contains(.outlivedScopes), let scope = contents.scope, let ended = scope.endedAt
        else { return }
        let age = ContinuousClock.now - ended
        guard age > diagnostics.grace, scope.isToBeReported(), let identity = contents.identity else { return }
        let hops = contents.journey?.hops ?? []
        diagnostics.notify(
            Finding(
                kind: .outlivedScope,
                identity: identity,
                site: scope.site,
                hops: hops,
                message: """
                    work runs as \(identity)\(contents.inferred) \(age.formattedSeconds) after the end of the scope\(place(scope)) that bound \
                    it; cancel it with its request, or bind a separate identity for work that has to continue.
                    """
            )
        )
    }

    static func notify(
        beyondBudget excess: String,
        _ limit: HopLimit,
        _ contents: BindingFrameContents,
        _ diagnostics: DiagnosticSettings
    ) {
        guard contents.scope?.isToBeReported() ?? true, let identity = contents.identity else { return }
        let end = limit.endsIdentity ? "it runs as nobody from now on" : "it still runs"
        let hops = contents.journey?.hops ?? []
        diagnostics.notify(
            Finding(
                kind: .beyondBudget,
                identity: identity,
                site: contents.scope?.site,
                hops: hops,
                message: """
                    work of \(identity)\(contents.inferred)\(contents.scope.map(place) ?? "") \(excess); \(end). Bind a separate \
                    identity where work submits itself again, or cancel the timer with its request.
                    """
            )
        )
    }

    private static func place(_ scope: ScopeRecord) -> String { scope.site.map { " at \($0)" } ?? "" }
}

extension BindingFrameContents {
    /// A note on how the identity was inferred, which follows its name; empty if it was not.
    fileprivate var inferred: String { inference.map { " (inferred by automatic mode at \($0))" } ?? "" }
}
