public import MultiIdentity

/// Something that an auditor asks about: who was refused, enrolled, switched to, revoked or wiped, by whom, and why.
public struct AuditEvent: Hashable, Sendable {
    /// The kind of an event; a minor release can add some, and so there is no exhaustive switch.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name that a line of an audit file has.
        public let rawValue: String

        /// The kind of a name, as of a program's own.
        ///
        /// - Parameter rawValue: The name.
        public init(rawValue: String) { self.rawValue = rawValue }

        init(_ name: String = #function) { rawValue = name }

        /// The name.
        public var description: String { rawValue }
    }

    /// The kind of event.
    public let kind: Kind
    /// The identity that it is about; `nil` for none, as of work that has no identity.
    public let identity: Identity?
    /// The identity that the work counted as which brought it about; `nil` where that had none.
    public let actor: Identity?
    /// Those who acted for ``actor``, the one that acted now first; empty where it acted itself.
    public var acting: [Identity] { actor?.actor?.identities ?? [] }
    /// A description for people, without secrets.
    public let reason: String
    /// The place where the actor was bound, and the hops from there; empty where provenance is not recorded.
    public let provenance: [String]

    /// An event that comes about here: the effective identity of this work is its actor.
    ///
    /// - Parameters:
    ///   - kind: The kind of event.
    ///   - identity: The identity that it is about.
    ///   - reason: A description for people, without secrets.
    public init(_ kind: Kind, of identity: Identity?, because reason: String) {
        let effective = EffectiveIdentity.forRecord()
        var provenance: [String] = []
        if Explanation.recordsProvenance {
            let explanation = effective.explanation
            if let site = explanation.site { provenance.append("bound at \(site)") }
            provenance += explanation.hops.map(\.description)
        }
        self.init(kind, identity, effective.identity, reason, provenance)
    }

    /// An event of the record itself, which nobody's work brought about.
    package init(ofRecord kind: Kind, because reason: String) { self.init(kind, nil, nil, reason, []) }

    private init(_ kind: Kind, _ identity: Identity?, _ actor: Identity?, _ reason: String, _ provenance: [String]) {
        self.kind = kind
        self.identity = identity
        self.actor = actor
        self.reason = reason
        self.provenance = provenance
    }

    /// The event with its texts as `scrub` leaves them.
    package func scrubbed(by scrub: (String) -> String) -> AuditEvent {
        AuditEvent(kind, identity, actor, scrub(reason), provenance.map(scrub))
    }

    /// The outcome of it, in the name of the same actor.
    package func ended(_ kind: Kind, because reason: String) -> AuditEvent {
        AuditEvent(kind, identity, actor, reason, provenance)
    }
}

extension AuditEvent.Kind {
    /// A policy, or a rule that holds for all, refused something.
    public static var refused: Self { Self() }
    /// A user was enrolled.
    public static var enrolled: Self { Self() }
    /// A user left: was unenrolled or signed out, or all of their data is wiped.
    public static var left: Self { Self() }
    /// An identity may not work any more.
    public static var revoked: Self { Self() }
    /// An identity may work again.
    public static var readmitted: Self { Self() }
    /// Another set of policies is in force.
    public static var policiesReplaced: Self { Self() }
    /// The UI identity was switched.
    public static var switched: Self { Self() }
    /// A switch of the UI identity was refused, failed or was cancelled.
    public static var notSwitched: Self { Self() }
    /// A wipe began, or went on.
    public static var wipeBegan: Self { Self() }
    /// A run of a wipe ended, with nothing left or something.
    public static var wipeEnded: Self { Self() }
    /// Data or a file was given away, for the space of another identity.
    public static var shared: Self { Self() }
    /// Data or a file was taken into the space of another identity.
    public static var received: Self { Self() }
    /// A request of a registry of accounts ended, or an account left by it.
    public static var registry: Self { Self() }
    /// Events before this one could not be written down.
    public static var eventsLost: Self { Self() }
}

extension AuditEvent {
    package init(_ decision: PolicyDecision) { self.init(.refused, of: decision.identity, because: "\(decision)") }
}

extension AuditEvent: CustomStringConvertible {
    /// The kind, whom it is about, the actor and the reason.
    public var description: String {
        "\(kind) of \(identity.map(\.description) ?? "no identity") by \(actor.map(\.description) ?? "no identity"): \(reason)"
    }
}

/// A receiver of everything that an auditor asks about; given to ``Accounts``, and heard of by all that works with them.
///
/// ```swift
/// let audit = try AuditFile("/var/log/app/audit.jsonl")
/// let accounts = Accounts(mode: .multi, policies: policies, audit: audit)
/// ```
///
/// Decisions that refuse, enrolments, revocations and policies come from the accounts; switches from their switcher, wipes from an
/// `IdentityWipe`, what is shared from a `DataSharing`, requests from an `AccountRegistry`.
public protocol AuditSink: Sendable {
    /// Takes an event, once, on the thread where it came about and under the identity that is bound there, after the fact.
    ///
    /// Several threads can call at once. What it asks of the same accounts can lead to another event.
    ///
    /// - Parameter event: The event.
    func record(_ event: AuditEvent)
}
