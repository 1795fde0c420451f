import MultiIdentity

/// The state of ``Accounts``, an object of its own, so that a reference to it does not keep them alive.
final class AccountsState: RevocationWatcher {
    struct Enrolled {
        var identities: Set<Identity> = []
        /// The identities that notifications have revoked; none is enrolled before a notification has ended that.
        var revoked: Set<Identity> = []
        /// The process level's identity before, in single-identity mode.
        var processBefore: Identity?
    }

    let mode: AccountsMode
    let withoutOwner: WorkWithoutOwner
    let source: any PolicySource
    let levels: IdentityLevels
    let audit: (any AuditSink)?
    let announcements = Announcements<AccountsChange>()
    private let enrolled = Locked(Enrolled())
    /// The events that are still to be recorded, since nobody is called with a lock.
    private let unrecorded = Locked<[AuditEvent]>([])

    init(
        _ mode: AccountsMode,
        _ withoutOwner: WorkWithoutOwner,
        _ source: any PolicySource,
        _ levels: IdentityLevels,
        _ audit: (any AuditSink)?
    ) {
        self.mode = mode
        self.withoutOwner = withoutOwner
        self.source = source
        self.levels = levels
        self.audit = audit
    }

    /// Has a change announced by the next ``tell()``; its actor is who brings it about here.
    func announce(_ change: AccountsChange) {
        announcements.add(change)
        if audit != nil { unrecorded.withLock { $0.append(AuditEvent(change)) } }
    }

    /// All that is known now.
    var view: AccountsView {
        AccountsView(mode: mode, withoutOwner: withoutOwner, policies: source.current, enrolled: enrolledIdentities)
    }

    var enrolledIdentities: Set<Identity> { enrolled.withLock { $0.identities } }

    func isEnrolled(_ identity: Identity) -> Bool { enrolled.withLock { $0.identities.contains(identity) } }

    /// The outcome of an attempt to enroll somebody.
    enum Enrolling {
        case enrolled, revoked
        case another(Identity)
    }

    func enroll(_ identity: Identity) -> Enrolling {
        let outcome = enrolled.withLock { enrolled -> Enrolling in
            if enrolled.identities.contains(identity) { return .enrolled }
            // A revocation from here on finds the user enrolled.
            if enrolled.revoked.contains(identity) { return .revoked }
            if mode.managesOne, let other = enrolled.identities.first { return .another(other) }
            if mode == .single {
                // Under the lock, so that enrolling and leaving at once do not leave the level to the wrong one.
                enrolled.processBefore = levels.process
                levels.process = identity
            }
            enrolled.identities.insert(identity)
            announce(.enrolled(identity))
            return .enrolled
        }
        tell()
        return outcome
    }

    /// Lets a user leave, and says whether they were enrolled.
    func unenroll(_ identity: Identity) -> Bool {
        let wasEnrolled = enrolled.withLock { enrolled -> Bool in
            guard remove(identity, from: &enrolled) else { return false }
            announce(.left(identity))
            return true
        }
        tell()
        return wasEnrolled
    }

    private func remove(_ identity: Identity, from enrolled: inout Enrolled) -> Bool {
        guard enrolled.identities.remove(identity) != nil else { return false }
        if mode == .single {
            giveProcessBack(identity, enrolled)
            enrolled.processBefore = nil
        }
        return true
    }

    /// Sets the process level back to its identity before this user, unless somebody has set it since.
    private func giveProcessBack(_ identity: Identity, _ enrolled: Enrolled) {
        levels.replaceProcess(
            identity,
            by: enrolled.processBefore.map { IdentityRevocation.isRevoked($0) ? .nobody : $0 }
        )
    }

    private func takeOffLevels(_ identity: Identity) {
        levels.replaceProcess(identity, by: .nobody)
        levels.takeOffUI(identity)
    }

    func note(_ event: RevocationEvent) {
        enrolled.withLock { [event] enrolled in
            switch event {
            case .revoked(let identity, let reason):
                if mode == .single, enrolled.identities.contains(identity) { giveProcessBack(identity, enrolled) }
                takeOffLevels(identity)
                enrolled.revoked.insert(identity)
                announce(.revoked(identity, for: reason))
            case .departed(let identity):
                _ = remove(identity, from: &enrolled)
                // Once more: the process level can have been set to somebody who was being wiped.
                takeOffLevels(identity)
                announce(.left(identity))
            case .readmitted(let identity):
                enrolled.revoked.remove(identity)
                announce(.readmitted(identity))
            }
        }
    }

    func tell() {
        if let audit {
            let events = unrecorded.withLock { events in
                defer { events = [] }
                return events
            }
            for event in events { audit.record(event) }
        }
        announcements.tellAll()
    }
}
