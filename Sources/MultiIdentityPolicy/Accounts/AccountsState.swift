import MultiIdentity

/// The state of ``Accounts``, a separate object, so that a reference to it does not keep them alive.
final class AccountsState: RevocationWatcher {
    struct Members {
        var enrolled: Set<Identity> = []
        /// The accounts that a registry has, and that are not enrolled here.
        var registered: Set<Identity> = []
        /// The accounts whose service has been silent for too long.
        var blocked: Set<Identity> = []
        /// Indicates whether a registry decides which accounts are known: an account that leaves stays known until it is gone there.
        var hasRegistry = false
        /// The registries that have not read their accounts yet.
        var unread: Set<ObjectIdentifier> = []
        /// The identities that notifications have revoked; none can be enrolled until a notification readmits it.
        var revoked: Set<Identity> = []
        /// The process level's identity before, in single-identity mode.
        var processBefore: Identity?
    }

    let mode: AccountsMode
    let withoutOwner: UnownedWork
    let source: any PolicySource
    let levels: IdentityLevels
    let audit: (any AuditSink)?
    let announcements = Announcements<AccountsChange>()
    private let members = Locked(Members())
    /// The events still to be recorded, since no one is called with a lock.
    private let unrecorded = Locked<[AuditEvent]>([])

    init(
        _ mode: AccountsMode,
        _ withoutOwner: UnownedWork,
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

    /// Adds a change for the next ``notify()``; its actor is the caller.
    func announce(_ change: AccountsChange) {
        announcements.add(change)
        if audit != nil, let event = AuditEvent(change) { unrecorded.withLock { $0.append(event) } }
    }

    /// All that is known now.
    var view: AccountsView {
        let policies = source.current
        return members.withLock { [self] members in
            AccountsView(
                mode: mode,
                withoutOwner: withoutOwner,
                policies: policies,
                enrolled: members.enrolled,
                registered: members.registered,
                blocked: members.blocked,
                isRead: members.unread.isEmpty
            )
        }
    }

    var enrolledIdentities: Set<Identity> { members.withLock { $0.enrolled } }

    func isEnrolled(_ identity: Identity) -> Bool { members.withLock { $0.enrolled.contains(identity) } }

    /// The outcome of an attempt to enroll a user.
    enum Enrolling {
        case enrolled, revoked
        case another(Identity)
    }

    func enroll(_ identity: Identity) -> Enrolling {
        let outcome = members.withLock { members in enter(identity, &members) }
        notify()
        return outcome
    }

    private func enter(_ identity: Identity, _ members: inout Members) -> Enrolling {
        if members.enrolled.contains(identity) { return .enrolled }
        // A revocation from here on finds the user enrolled.
        if members.revoked.contains(identity) { return .revoked }
        if mode.managesOne, let other = members.enrolled.first { return .another(other) }
        if mode == .single {
            // Under the lock, so that concurrent enrolling and leaving set the level correctly.
            members.processBefore = levels.process
            levels.process = identity
        }
        members.registered.remove(identity)
        members.enrolled.insert(identity)
        announce(.enrolled(identity))
        return .enrolled
    }

    /// Unenrolls a user, and returns whether that user was enrolled.
    func unenroll(_ identity: Identity) -> Bool {
        let wasEnrolled = members.withLock { members -> Bool in
            guard leave(identity, &members) else { return false }
            announce(.left(identity))
            return true
        }
        notify()
        return wasEnrolled
    }

    private func leave(_ identity: Identity, _ members: inout Members) -> Bool {
        guard members.enrolled.remove(identity) != nil else { return false }
        if members.hasRegistry { members.registered.insert(identity) }
        if mode == .single {
            giveProcessBack(identity, members)
            members.processBefore = nil
        }
        return true
    }

    /// Restores the process level's identity from before this user, unless the level has been set since.
    private func giveProcessBack(_ identity: Identity, _ members: Members) {
        levels.replaceProcess(
            identity,
            by: members.processBefore.map { IdentityRevocation.isRevoked($0) ? .nobody : $0 }
        )
    }

    /// Records accounts of a registry as enrolled or not.
    func know(_ identities: some Sequence<Identity>, enrolled: Bool) {
        members.withLock { members in
            for identity in identities {
                if enrolled, case .enrolled = enter(identity, &members) { continue }
                // An account that cannot be enrolled here is still known.
                if !enrolled, leave(identity, &members) {
                    announce(.left(identity))
                } else if members.registered.insert(identity).inserted, members.unread.isEmpty {
                    announce(.registered(identity))
                }
            }
        }
        notify()
    }

    /// Records that a registry no longer has an account.
    func forget(_ identity: Identity) {
        members.withLock { members in
            if leave(identity, &members) { announce(.left(identity)) }
            if members.registered.remove(identity) != nil { announce(.deregistered(identity)) }
        }
        notify()
    }

    /// Blocks or unblocks accounts; with `all`, these replace all blocked ones.
    func setBlocked(_ identities: Set<Identity>, _ isBlocked: Bool, all: Bool) {
        members.withLock { members in
            let before = members.blocked
            if all { members.blocked = [] }
            if isBlocked { members.blocked.formUnion(identities) } else { members.blocked.subtract(identities) }
            if members.blocked != before { announce(.policiesReplaced) }
        }
        notify()
    }

    func isBlocked(_ identity: Identity) -> Bool { members.withLock { $0.blocked.contains(identity) } }

    /// Makes a registry decide which accounts are known, once it has read its accounts.
    func awaits(_ registry: ObjectIdentifier) {
        members.withLock { members in
            members.hasRegistry = true
            members.unread.insert(registry)
        }
    }

    func hasRead(_ registry: ObjectIdentifier) {
        members.withLock { members in
            guard members.unread.remove(registry) != nil, members.unread.isEmpty else { return }
            announce(.accountsRead)
        }
        notify()
    }

    private func takeOffLevels(_ identity: Identity) {
        levels.replaceProcess(identity, by: .nobody)
        levels.takeOffUI(identity)
    }

    func note(_ event: RevocationEvent) {
        members.withLock { [event] members in
            switch event {
            case .revoked(let identity, let reason):
                if mode == .single, members.enrolled.contains(identity) { giveProcessBack(identity, members) }
                takeOffLevels(identity)
                members.revoked.insert(identity)
                announce(.revoked(identity, for: reason))
            case .departed(let identity):
                _ = leave(identity, &members)
                // Again: the process level may have been set to an identity that was being wiped.
                takeOffLevels(identity)
                announce(.left(identity))
            case .readmitted(let identity):
                members.revoked.remove(identity)
                announce(.readmitted(identity))
            }
        }
    }

    func notify() {
        if let audit {
            let events = unrecorded.withLock { events in
                defer { events = [] }
                return events
            }
            for event in events { audit.record(event) }
        }
        announcements.notifyAll()
    }
}
