import MultiIdentity
import MultiIdentityPolicy

// Brings this process in line with the store. Only here are the registry's accounts made managed.
extension AccountRegistry {
    /// Adopts an account as the store had it when its event was read, which may be newer than the event.
    func adopt(_ event: AccountEvent) {
        let (identity, record, isOwn) = (event.identity, event.record, event.origin == state.origin)
        guard event.status.changesAccount else { return }
        if !isOwn, event.status.leaves, record?.stage == .wiping { revoke(identity) }
        adopt(record, of: identity, hasLeft: event.status.leaves)
        // An account that was signed out here since the answer is no longer enrolled.
        if isOwn, event.request == .enrolment, record?.stage == .enrolled,
            IdentityRevocation.isRevokedItself(identity)
        {
            hasLeft(identity)
        }
    }

    /// Adopts an account as the store has it now, in order with events.
    ///
    /// If the store fails, the account stays as it is until its next event; a known account stays known.
    func adopt(_ identity: Identity) {
        state.announcements.add(
            .inTurn { [weak self] in
                do {
                    // Not with `try?`, which would not distinguish a missing account from a failure.
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

    /// Indicates whether a first policy comes into force only at the next start.
    var waitsForRestart: Bool { configuration.restartsForFirstPolicy && !state.isStarting }

    /// Enrolls accounts in this process, with the service's policies in one change; an unreadable policy allows nothing.
    ///
    /// - Returns: The accounts whose policy must be requested.
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
        // Accounts that are revoked here are known too.
        accounts.know(enrolled.map(\.identity), enrolled: true)
        let unread = Set(given.lazy.filter { $0.policy == nil }.map(\.identity))
        return here.filter { unread.contains($0.identity) || !accounts.hasPolicy($0.identity) }
    }

    /// Unenrolls an account in this process, and removes its policy from the service and its configuration.
    func letGoHere(_ identity: Identity) {
        if accounts.isEnrolled(identity) {
            state.removals.around(identity) { accounts.know([identity], enrolled: false) }
        }
        state.configure(identity, nil)
        guard let policies, policies.current.policies[identity] != nil else { return }
        policies.change { $0.policies[identity] = nil }
    }

    /// Adopts a readmitted account again, if it still exists.
    func readmitted(_ account: Identity) {
        if !names.names(of: account).isEmpty { adoptNames(of: account) }
        if accounts.isKnown(account), !accounts.isEnrolled(account) { adopt(account) }
    }

    /// Adopts all accounts of the store; if events after one were missed, revokes and returns the accounts that have left
    /// since.
    func load(missing number: Int64? = nil) throws(ManagementError) -> Set<Identity> {
        try adoptNames()
        try adoptBlocked()
        var gone = number == nil ? [] : accounts.knownIdentities
        // No account that is still to be wiped may work in this process either.
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

    /// Removes existing accounts from the gone ones; revokes the earlier work of an account that left and is back.
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
            // In parts, so that not all accounts are in memory twice.
            let part = try reading { [last] transaction in
                try transaction.accounts(stage, after: last, limit: Self.accountsAtOnce)
            }
            last = part.count == Self.accountsAtOnce ? part.last?.identity : nil
            try body(part)
        } while last != nil
    }

    /// Records what a start changes: signed-out accounts leave, and the requested restart has happened.
    private func noteStarted(_ enrolled: [AccountRecord]) throws(ManagementError) {
        for record in enrolled {
            if IdentityRevocation.isRevokedItself(record.identity) {
                hasLeft(record.identity)
            } else if !record.hadPolicy {
                try changing { transaction in
                    // Only one process records it.
                    guard var now = try transaction.account(record.identity), now.stage == .enrolled, !now.hadPolicy
                    else { return }
                    now.hadPolicy = true
                    try transaction.put(now)
                    try note(now.identity, .enrolled, "the account is enrolled", in: transaction)
                }
            }
        }
    }

    /// Makes the policies of accounts due now.
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
