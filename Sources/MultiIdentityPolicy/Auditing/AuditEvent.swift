public import MultiIdentity

/// An event for the audit log: what happened to which identity, such as a refusal or a wipe, who caused it, and why.
public struct AuditEvent: Hashable, Sendable {
    /// The kind of an event; a minor release can add kinds, so give each switch a `default`.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The name of the kind, as written to an audit file.
        public let description: String

        /// Creates a kind from its name, such as a custom one.
        ///
        /// - Parameter name: The name.
        public init(_ name: String = #function) { description = name }
    }

    /// The kind of event.
    public let kind: Kind
    /// The identity that the event is about; `nil` for work without an identity.
    public let identity: Identity?
    /// The effective identity of the work that caused the event; `nil` if it had none.
    public let actor: Identity?
    /// The identities that acted for ``actor``, the latest first; empty if it acted itself.
    public var acting: [Identity] { actor?.actor?.identities ?? [] }
    /// The reason in words, without secrets.
    public let reason: String
    /// The place where the actor was bound, and the hops from there; empty if provenance is not recorded.
    public let provenance: [String]

    /// Creates an event whose actor is the effective identity of the current work.
    ///
    /// - Parameters:
    ///   - kind: The kind of event.
    ///   - identity: The identity that the event is about.
    ///   - reason: The reason in words, without secrets.
    public init(_ kind: Kind, of identity: Identity?, because reason: String) {
        let effective = EffectiveIdentity.forRecord()
        var provenance: [String] = []
        if BindingFeatures.inUse.contains(.provenance) {
            if let site = effective.snapshot.site { provenance.append("bound at \(site)") }
            provenance += effective.snapshot.hops.map(\.description)
        }
        self.init(kind, identity, effective.identity, reason, provenance)
    }

    /// Creates an event of the log itself, which no work caused.
    package init(ofRecord kind: Kind, because reason: String) { self.init(kind, nil, nil, reason, []) }

    private init(_ kind: Kind, _ identity: Identity?, _ actor: Identity?, _ reason: String, _ provenance: [String]) {
        self.kind = kind
        self.identity = identity
        self.actor = actor
        self.reason = reason
        self.provenance = provenance
    }

    /// Returns the event with its texts scrubbed by `scrub`.
    package func scrubbed(by scrub: (String) -> String) -> AuditEvent {
        AuditEvent(kind, identity, actor, scrub(reason), provenance.map(scrub))
    }

    /// Returns the event of its outcome, with the same actor.
    package func ended(_ kind: Kind, because reason: String) -> AuditEvent {
        AuditEvent(kind, identity, actor, reason, provenance)
    }
}

extension AuditEvent.Kind {
    /// A policy, or a rule for all identities, refused something.
    public static var refused: Self { Self() }
    /// A user was enrolled.
    package static var enrolled: Self { Self() }
    /// A user was unenrolled or signed out, or all of the user's data was wiped.
    package static var left: Self { Self() }
    /// An identity was revoked: it may not work any more.
    public static var revoked: Self { Self() }
    /// An identity may work again.
    package static var readmitted: Self { Self() }
    /// Another set of policies is in force.
    package static var policiesReplaced: Self { Self() }
    /// The UI identity was switched.
    package static var switched: Self { Self() }
    /// A switch of the UI identity was refused, failed or was cancelled.
    package static var notSwitched: Self { Self() }
    /// A wipe began or continued.
    public static var wipeBegan: Self { Self() }
    /// A run of a wipe ended, complete or not.
    public static var wipeEnded: Self { Self() }
    /// Data or a file was shared with the space of another identity.
    public static var shared: Self { Self() }
    /// Data or a file was received into the space of another identity.
    public static var received: Self { Self() }
    /// A request of an account registry ended, or an account left through it.
    package static var registry: Self { Self() }
    /// Earlier events could not be written.
    package static var eventsLost: Self { Self() }
}

extension AuditEvent {
    package init(_ decision: PolicyDecision) { self.init(.refused, of: decision.identity, because: "\(decision)") }
}

extension AuditEvent: CustomStringConvertible {
    /// The kind, the identity, the actor and the reason.
    public var description: String {
        "\(kind) of \(identity.map(\.description) ?? "no identity") by \(actor.map(\.description) ?? "no identity"): \(reason)"
    }
}

/// A receiver of audit events from ``Accounts`` and everything that works with them.
///
/// ```swift
/// let audit = try AuditFile("/var/log/app/audit.jsonl")
/// let accounts = Accounts(mode: .multi, policies: policies, audit: audit)
/// ```
///
/// ``Accounts`` reports refusals, enrolments, revocations and policies; ``IdentitySwitcher`` reports switches;
/// `IdentityWipe`, wipes; `DataSharing`, shared and received data; `AccountRegistry`, its requests.
public protocol AuditSink: Sendable {
    /// Records an event; called once, after the fact, on the thread of the event and under the identity bound there.
    ///
    /// Several threads can call it at once. If it asks the same accounts a question, that can cause another event.
    ///
    /// - Parameter event: The event.
    func record(_ event: AuditEvent)
}
