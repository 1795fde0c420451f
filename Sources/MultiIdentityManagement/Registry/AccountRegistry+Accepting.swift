import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Writes the answer of a service down, by whose event each process has it in force, and puts nothing into force itself.
    ///
    /// - Returns: Whether the request still counted; else its account has left meanwhile, or the request is another's now.
    func accept(_ answer: EnrolledPolicy, _ record: AccountRecord) throws -> Bool {
        var accepted = record
        accepted.policyText = nil
        if case .text(let text) = answer {
            guard Self.policy(of: record.identity, in: text) != nil else {
                throw EnrollmentFailure(.malformedAnswer, "the text of policies is none, or has none for the account")
            }
            accepted.policyText = text
        }
        if state.hasEnded { return false }
        let (isOurs, refusal) = try changing { [accepted] (transaction) throws(AccountStoreError) in
            guard let now = try transaction.account(record.identity), record.counts(in: now) else {
                return (false, EnrollmentFailure?.none)
            }
            if let refusal = try self.refusal(of: accepted, transaction) { return (true, refusal) }
            try write(accepted, over: now, transaction)
            return (true, nil)
        }
        if let refusal { throw refusal }
        tellEvents()
        return isOurs
    }

    /// Says why an account is not enrolled by an answer, by what is known when that is written down; `nil` where it is.
    private func refusal(
        of accepted: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws(AccountStoreError) -> EnrollmentFailure? {
        if let failure = try another(insteadOf: accepted, transaction) { return failure }
        let hasPolicy = accepted.policyText != nil && policies != nil
        guard let error = accounts.refusal(of: accepted.identity, hasPolicy: hasPolicy) else { return nil }
        // Who is enrolled stays so, under nothing where it may do nothing: a policy that is heard of must not end as silence.
        if accepted.stage == .enrolled, [.notAllowed, .noPolicy].contains(error.code) { return nil }
        return EnrollmentFailure(error.code == .anotherIsEnrolled ? .anotherIsEnrolled : .refused, error.message)
    }

    /// The failure of a request to enroll an account while another one is enrolled, where one is managed at a time.
    func another(
        insteadOf record: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws(AccountStoreError) -> EnrollmentFailure? {
        guard accounts.mode.managesOne, record.stage == .registered,
            let other = try transaction.accounts(.enrolled).first
        else { return nil }
        return EnrollmentFailure(
            .anotherIsEnrolled,
            "\(other.identity) is enrolled, and one user is managed at a time"
        )
    }

    /// Writes an accepted answer down in place of what its account was.
    private func write(
        _ accepted: AccountRecord,
        over now: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws(AccountStoreError) {
        var now = now
        let (wasEnrolled, configurationBefore) = (now.stage == .enrolled, now.configurationText)
        let waits = waitsForRestart && !now.hadPolicy
        (now.stage, now.lease, now.lastRun, now.wasAsked) = (.enrolled, nil, time.now, true)
        now.hadPolicy = !waits
        (now.policyText, now.configurationText) = (accepted.policyText, accepted.configurationText)
        (now.policyConfirmed, now.silence) = (try transaction.time(), .heard)
        now.due = time.next(after: AccountRegistryOptions.checkInterval, for: now)
        try transaction.put(now)
        // One managed user: nobody else tries while there is one.
        if accounts.mode.managesOne { try transaction.setDueOfRegistered(nil) }
        let request = AccountRequest(of: accepted)
        if wasEnrolled {
            try note(now.identity, .policyReplaced, "another policy is there", ending: request, in: transaction)
        } else if waits {
            let text = "its policy is there, and in force after a restart"
            try note(now.identity, .restartWanted, text, ending: request, in: transaction)
        } else {
            try note(now.identity, .enrolled, "the account is enrolled", ending: request, in: transaction)
        }
        try noteConfiguration(of: now, after: configurationBefore, in: transaction)
        // Nothing has begun that would have to again.
        if !wasEnrolled, !waits, !state.isStarting {
            try note(now.identity, .restartWanted, "the first policy is there", in: transaction)
        }
    }
}
