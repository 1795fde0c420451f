import CMultiIdentity

/// Settings for the run-time checks of work under levels, which `IdentityDiagnostics` of MultiIdentityDiagnostics changes.
package final class DiagnosticSettings: Sendable {
    package struct Strictness: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let requirements = Strictness(rawValue: 1 << 0)
        package static let reads = Strictness(rawValue: 1 << 1)
        package static let outlivedScopes = Strictness(rawValue: 1 << 2)
    }

    package struct State: Sendable {
        package var strictness: Strictness = []
        package var grace = Duration.seconds(60)
        package var limit: HopLimit?
        package var watchesWorkers = false
        /// `nil` to log findings.
        package var response: (any FindingResponse)?
        fileprivate var tally = FindingTally()

        fileprivate var features: BindingFeatures {
            var features: BindingFeatures = strictness.isEmpty ? [] : .strictness
            if limit != nil { features.insert(.budgets) }
            if watchesWorkers { features.insert(.sentinel) }
            return features
        }
    }

    private let state = Locked(State())

    package var strictness: Strictness { state.withLock { $0.strictness } }
    package var grace: Duration { state.withLock { $0.grace } }
    package var limit: HopLimit? { state.withLock { $0.limit } }
    package var watchesWorkers: Bool { state.withLock { $0.watchesWorkers } }
    package var response: (any FindingResponse)? { state.withLock { $0.response } }
    /// The findings of code that asked, one for each place, with their counts.
    package var findings: [Finding] { state.withLock { $0.tally }.all }

    deinit { change { ($0.strictness, $0.limit, $0.watchesWorkers) = ([], nil, false) } }

    /// Changes the state, and updates the process-wide count of diagnostics that use a feature.
    package func change(_ change: @Sendable (inout State) -> Void) {
        // What the change replaces is released outside the lock: a response can belong to the program.
        let (old, new) = state.withLock { state in
            let old = state
            change(&state)
            return (old, state)
        }
        let (before, after) = (old.features, new.features)
        for feature in [.strictness, .budgets, .sentinel] as [BindingFeatures] {
            if before.contains(feature) == after.contains(feature) { continue }
            FeatureUses.shared.count(feature, by: after.contains(feature) ? 1 : -1)
        }
    }

    /// Changes the response, and counts findings from zero.
    package func respond(by response: any FindingResponse) {
        change { ($0.response, $0.tally) = (response, FindingTally()) }
    }

    /// Reports a finding, unless code that asks was reported before at this place.
    func notify(_ finding: Finding) {
        guard state.withLock({ $0.tally.isFirst(finding) }) else { return }
        let response = response
        finding.tell { finding in
            if let response { return response.respond(to: finding) }
            finding.log()
            if self === IdentityLevels.shared.diagnosticSettings { _ = Self.logsRepeatsAtExit }
        }
    }

    /// Once the first finding of the process is logged, its counts are logged when the program exits.
    private static let logsRepeatsAtExit: Void = {
        atexit {
            let settings = IdentityLevels.shared.diagnosticSettings
            if settings.response == nil { for finding in settings.findings where finding.count > 1 { finding.log() } }
        }
    }()
}

extension Finding {
    /// Tells a response, under levels without diagnostics, and without limits: it must not cause findings itself.
    func tell(_ respond: (Finding) -> Void) {
        FindingExemption.run {
            ThreadMirror.current().forResponses.bind { () -> Void in respond(self) }
        }
    }
}

extension IdentitySnapshot {
    fileprivate var forResponses: IdentitySnapshot {
        var contents = under(IdentityLevels()).contents
        contents?.limits = nil
        return contents?.snapshot ?? self
    }
}

/// The number of diagnostics that use each feature; the process pays for a feature while any does.
final class FeatureUses: Sendable {
    static let shared = FeatureUses()

    private let uses = Locked<[UInt32: Int]>([:])

    func count(_ feature: BindingFeatures, by change: Int) {
        uses.withLock { uses in
            let count = (uses[feature.rawValue] ?? 0) + change
            uses[feature.rawValue] = count
            BindingFeatures.set(feature, to: count > 0)
        }
    }
}
