/// The findings of ``IdentityDoctor`` on this system.
public struct Diagnosis: Sendable, Hashable, Codable {
    /// The system and toolchain of the findings.
    public let platform: Platform
    /// A finding for each examined boundary.
    public let findings: [Finding]

    /// Indicates whether this package kept the identity at every boundary that this system has.
    public var isHealthy: Bool { findings.allSatisfy(\.isHealthy) }
}

extension Diagnosis {
    /// The result for one boundary.
    public struct Finding: Sendable, Hashable, Codable {
        /// The boundary, such as `queue.async`.
        public let boundary: String
        /// The family of the boundary, such as `Dispatch queues`.
        public let family: String
        /// The verdict on plain Swift.
        public let plain: Verdict
        /// The verdict on this package.
        public let carried: Verdict
        /// The verdict on companions with this package; `nil` if they were not examined.
        public let companions: Verdict?
        /// The call for the boundary in this package; `nil` if the language carries, or nothing does.
        public let spelling: String?
        /// The moment when this package, or the language, captures the identity, such as `dispatched`.
        ///
        /// The doctor finds it by changing the identity between all moments.
        public let captured: String?

        /// Indicates whether everything examined was kept, or the system lacks this boundary.
        public var isHealthy: Bool {
            [carried, companions].compactMap(\.self).allSatisfy { $0.outcome == .kept || $0.outcome == .missing }
        }
    }

    /// What became of an identity, with details.
    public struct Verdict: Sendable, Hashable, Codable {
        /// What became of the identity.
        public let outcome: Outcome
        /// Details, such as `as the identity that posts`.
        public let detail: String?

        /// What became of an identity at a boundary.
        public enum Outcome: String, Sendable, Hashable, Codable {
            /// The work runs as the identity that handed it over.
            case kept
            /// The work runs with no identity bound.
            case lost
            /// The work runs as another identity, or the result differs between runs or threads.
            case mixed
            /// This system lacks the boundary.
            case missing
            /// The boundary exists but could not be crossed here; the detail has the reason.
            case skipped
            /// The work did not run in time.
            case timedOut
        }

        init(_ outcome: Outcome, _ detail: String? = nil) {
            self.outcome = outcome
            self.detail = detail
        }
    }

    /// A system and a toolchain, without details of the machine.
    public struct Platform: Sendable, Hashable, Codable {
        /// The operating system, such as `Linux`.
        public let system: String
        /// The architecture, such as `x86-64`.
        public let architecture: String
        /// The version of Swift, such as `6.3`.
        public let swift: String
    }
}

extension Diagnosis.Verdict: CustomStringConvertible {
    /// The verdict in the form `mixed: as the identity that posts`.
    public var description: String {
        let outcome =
            switch outcome {
            case .kept, .lost, .mixed, .missing: outcome.rawValue
            case .skipped: "not examined"
            case .timedOut: "timed out"
            }
        return detail.map { "\(outcome): \($0)" } ?? outcome
    }
}

extension Diagnosis.Platform {
    static var current: Diagnosis.Platform {
        Diagnosis.Platform(system: currentSystem, architecture: currentArchitecture, swift: currentSwift)
    }

    private static var currentSystem: String {
        #if os(Linux)
        "Linux"
        #elseif os(macOS)
        "macOS"
        #elseif os(iOS)
        "iOS"
        #else
        "another system"
        #endif
    }

    private static var currentArchitecture: String {
        #if arch(x86_64)
        "x86-64"
        #elseif arch(arm64)
        "arm64"
        #else
        "another architecture"
        #endif
    }

    private static var currentSwift: String {
        #if compiler(>=6.4)
        "6.4 or later"
        #elseif compiler(>=6.3)
        "6.3"
        #else
        "6.2"
        #endif
    }
}
