import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Puts the answer of a service into force, and writes it down.
    func accept(_ answer: EnrolledPolicy, _ record: AccountRecord, _ credential: AccountCredential) throws {
        let identity = record.identity
        var text: String?
        if case .text(let given) = answer {
            guard Self.policy(of: identity, in: given) != nil else {
                throw EnrollmentFailure(.malformedAnswer, "the text of policies is none, or has none for the account")
            }
            text = given
        }
        // A lease that was lost, or an account that was let go, is looked at before anybody is managed by it, and after.
        if state.hasEnded { return }
        if try !hasLease(record) { return letGoUnlessWanted(identity, credential) }
        var accepted = record
        accepted.policyText = text
        let waits = options.firstPolicy == .afterRestart && !accounts.enrolledIdentities.contains(identity)
        if !waits {
            putIntoForce([accepted])
            // Of one that is enrolled, the event has the new one in force.
            if record.stage == .registered { configure(accepted) }
            do throws(AccountsError) { try accounts.enroll(identity) } catch {
                if record.stage == .registered { letGoHere(identity) }
                let status: AccountEventStatus = error.code == .anotherIsEnrolled ? .anotherIsEnrolled : .refused
                throw EnrollmentFailure(status, error.message)
            }
        }
        let isOurs: Bool
        do throws(AccountStoreError) {
            isOurs = try changing { (transaction) throws(AccountStoreError) in try self.write(accepted, transaction) }
        } catch {
            // Nobody is managed by an answer that is not written down.
            if record.stage == .registered { letGoHere(identity) }
            throw error
        }
        if !isOurs { letGoUnlessWanted(identity, credential) }
        tellEvents()
    }

    /// Writes an accepted answer down, and says whether the lease was still the request's.
    private func write(
        _ accepted: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws(AccountStoreError) -> Bool {
        let identity = accepted.identity
        guard var now = try transaction.account(identity), now.lease == accepted.lease else { return false }
        let isFirst = !now.hadPolicy
        let wasEnrolled = now.stage == .enrolled
        now.lease = nil
        now.lastRun = time.now
        if accounts.mode.managesOne, !wasEnrolled, let other = try transaction.accounts(.enrolled).first {
            now.due = nil
            try transaction.put(now)
            try note(identity, .anotherIsEnrolled, Self.isEnrolled(other.identity), in: transaction)
            return false
        }
        now.stage = .enrolled
        now.hadPolicy = true
        now.policyText = accepted.policyText
        now.policyConfirmed = try transaction.time()
        let configurationBefore = now.configurationText
        now.configurationText = accepted.configurationText
        now.due = time.next(after: AccountRegistryOptions.checkInterval, for: now)
        try transaction.put(now)
        // One managed user: nobody else tries while there is one.
        if accounts.mode.managesOne { try transaction.setDueOfRegistered(nil) }
        if wasEnrolled {
            try note(identity, .policyReplaced, "another policy is in force", in: transaction)
        } else {
            try note(identity, .enrolled, "the account is enrolled", in: transaction)
        }
        try noteConfiguration(of: now, after: configurationBefore, in: transaction)
        if isFirst { try note(identity, .restartWanted, "the first policy is there", in: transaction) }
        return true
    }

    /// Takes an enrolment back that the store does not have: in memory, and with the service where nobody asks for it any more.
    private func letGoUnlessWanted(_ identity: Identity, _ credential: AccountCredential) {
        let found = try? reading { (transaction) throws(AccountStoreError) -> (AccountRecord?, isWanted: Bool) in
            let record = try transaction.account(identity)
            // One that makes a request itself, or will make one, is enrolled or declined by that.
            return (record, record?.stage == .enrolled || record?.stage == .registered && record?.due != nil)
        }
        if found?.0?.stage == .enrolled { return }
        letGoHere(identity)
        if let found, !found.isWanted { tellService(identity, credential) }
    }
}
