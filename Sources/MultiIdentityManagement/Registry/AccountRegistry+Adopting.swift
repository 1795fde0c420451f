import MultiIdentity
import MultiIdentityPolicy

// What this process does by what the store has: an account is in it as it is there, and nowhere else is anybody made managed.
extension AccountRegistry {
    /// Brings this process in line with what the store had of an account when its event was read: that may be newer.
    func adopt(_ event: AccountEvent) {
        let (identity, record, isOwn) = (event.identity, event.record, event.origin == state.origin)
        guard event.status.changesAccount else { return }
        if !isOwn, event.status.leaves, record?.stage == .wiping { revoke(identity) }
        adopt(record, of: identity, hasLeft: event.status.leaves)
        // Who was signed out here since the answer came is not enrolled any more.
        if isOwn, event.request == .enrolment, record?.stage == .enrolled,
            IdentityRevocation.isRevokedItself(identity)
        {
            hasLeft(identity)
        }
    }

    /// Brings this process in line with what the store has of an account, in turn with events.
    ///
    /// Where the store fails it stays as it is until its next event: no account that is known here gets out of that.
    func adopt(_ identity: Identity) {
        state.announcements.add(
            .inTurn { [weak self] in
                do {
                    // Not by `try?`, to which no account and no answer are one.
                    guard let self else { return }
                    let record = try reading { transaction in try transaction.account(identity) }
                    adopt(record, of: identity, hasLeft: false)
                } catch {}
            }
        )
        state.announcements.notifyAll()
    }

    private func adopt(_ record: AccountRecord?, of identity: Identity, hasLeft: Bool) {
        if let record { state.registered(record.life) }
        let isEnrolled = accounts.isEnrolled(identity)
        if let record, record.stage == .enrolled, isEnrolled || !waitsForRestart {
            adopt([record])
            return
        }
        if hasLeft || isEnrolled { letGoHere(identity) }
        switch record?.stage {
        case nil, .leaving: accounts.forget(identity)
        case .registered, .enrolled, .wiping: accounts.know([identity], enrolled: false)
        }
    }

    /// Indicates whether a first policy is not in force before the program has started again.
    var waitsForRestart: Bool { configuration.restartsForFirstPolicy && !state.isStarting }

    /// Has accounts be enrolled in this process, under the policies that the service gave, as one; under nothing where such a policy
    /// cannot be read.
    ///
    /// - Returns: The accounts that need their policy asked for.
    @discardableResult
    private func adopt(_ enrolled: [AccountRecord]) -> [AccountRecord] {
        let here = enrolled.filter { !IdentityRevocation.isRevokedItself($0.identity) }
        var given: [(identity: Identity, policy: Policy?)] = []
        for record in here {
            let text = record.configurationText
            state.configure(record.identity, text.flatMap { try? AppConfiguration(json: $0.utf8) })
            guard policies != nil, let text = record.policyText else { continue }
            given.append((record.identity, Self.policy(of: record.identity, in: text)))
        }
        if !given.isEmpty {
            policies?.change { [given] set in
                for (identity, policy) in given { set.policies[identity] = policy ?? .nothing }
            }
        }
        // Who is revoked here is known all the same.
        accounts.know(enrolled.map(\.identity), enrolled: true)
        let unread = Set(given.lazy.filter { $0.policy == nil }.map(\.identity))
        return here.filter { unread.contains($0.identity) || !accounts.hasPolicy($0.identity) }
    }

    /// Has an account not be enrolled in this process any more; its policy of the service and its configuration go with that.
    func letGoHere(_ identity: Identity) {
        if accounts.isEnrolled(identity) {
            state.removals.around(identity) { accounts.know([identity], enrolled: false) }
        }
        state.configure(identity, nil)
        guard let policies, policies.current.policies[identity] != nil else { return }
        policies.change { $0.policies[identity] = nil }
    }

    /// Takes back what an account had as long as it was revoked, if it is still there.
    func readmitted(_ account: Identity) {
        if !names.names(of: account).isEmpty { adoptNames(of: account) }
        if accounts.isKnown(account), !accounts.isEnrolled(account) { adopt(account) }
    }

    /// Brings this process in line with all accounts of the store; where events after one were missed, revokes and returns
    /// who has left since.
    func load(missing number: Int64? = nil) throws(ManagementError) -> Set<Identity> {
        try adoptNames()
        try adoptBlocked()
        var gone = number == nil ? [] : accounts.knownIdentities
        // No account that is still to be wiped may work, in the next process either.
        try inParts(.wiping) { part in
            accounts.know(part.map(\.identity), enrolled: false)
            for record in part { revoke(record.identity) }
        }
        try inParts(.registered) { (part) throws(ManagementError) in
            if let number { follow(part, missing: number, &gone) }
            for record in part where accounts.isEnrolled(record.identity) { letGoHere(record.identity) }
            accounts.know(part.map(\.identity), enrolled: false)
        }
        try inParts(.enrolled) { (part) throws(ManagementError) in
            if let number { follow(part, missing: number, &gone) }
            let isInForce = { (record: AccountRecord) in
                !self.waitsForRestart || self.accounts.isEnrolled(record.identity)
            }
            accounts.know(part.lazy.filter { !isInForce($0) }.map(\.identity), enrolled: false)
            try ask(adopt(part.filter(isInForce)))
            if number == nil { try noteStarted(part) }
        }
        for identity in gone {
            let record = try account(identity)
            revoke(identity, leftAt: number ?? 0, record)
            adopt(record, of: identity, hasLeft: true)
        }
        return gone
    }

    /// Takes accounts that are there from those that are gone; one that had left and is there again is revoked for what it did.
    private func follow(_ part: [AccountRecord], missing number: Int64, _ gone: inout Set<Identity>) {
        for record in part where gone.remove(record.identity) != nil && record.life > number {
            revoke(record.identity, leftAt: number, record)
        }
    }

    private func inParts(
        _ stage: AccountRecord.Stage,
        _ body: ([AccountRecord]) throws(ManagementError) -> Void
    ) throws(ManagementError) {
        var last: Identity?
        repeat {
            // So that there is no second copy of all that is known.
            let part = try reading { [last] transaction in
                try transaction.accounts(stage, after: last, limit: Self.accountsAtOnce)
            }
            last = part.count == Self.accountsAtOnce ? part.last?.identity : nil
            try body(part)
        } while last != nil
    }

    /// Writes down what a start changes of enrolled accounts: who is signed out here leaves, and the restart that was wanted is over.
    private func noteStarted(_ enrolled: [AccountRecord]) throws(ManagementError) {
        for record in enrolled {
            if IdentityRevocation.isRevokedItself(record.identity) {
                hasLeft(record.identity)
            } else if !record.hadPolicy {
                try changing { transaction in
                    // One process says so.
                    guard var now = try transaction.account(record.identity), now.stage == .enrolled, !now.hadPolicy
                    else { return }
                    now.hadPolicy = true
                    try transaction.put(now)
                    try note(now.identity, .enrolled, "the account is enrolled", in: transaction)
                }
            }
        }
    }

    /// Has the policies of accounts asked for at once.
    private func ask(_ without: [AccountRecord]) throws(ManagementError) {
        for record in without {
            try changing { transaction in
                guard var record = try transaction.account(record.identity), record.lease == nil else { return }
                record.due = try transaction.time().now
                try transaction.put(record)
            }
        }
    }

    private static var accountsAtOnce: Int { 100_000 }
}
