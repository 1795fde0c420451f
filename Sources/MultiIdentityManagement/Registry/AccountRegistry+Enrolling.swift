import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Asks the service to enroll an account, and writes its answer down.
    func enroll(_ request: AccountRecord, _ given: AccountCredential?) async {
        var (credential, isAccepted) = (AccountCredential?.none, false)
        do {
            let found = try await self.credential(of: request, given)
            credential = found
            let answer = try await part(
                of: request,
                { [service] in try await service.enroll(found) },
                late: { [self] in await takeBack(request, found) }
            )
            isAccepted = true
            try accept(answer, await configured(request, found))
        } catch {
            var request = request
            // What did not answer in time may answer yet; and what another process asked for is not known.
            let isLate = credential != nil && Self.failure(error).status == .timedOut
            request.wasAsked = request.wasAsked || isAccepted || isLate
            guard fail(request, error, isAccepted: isAccepted) == .unwanted else { return }
            if credential == nil { credential = await credentialToNotify(request, nil) }
            await takeBack(request, credential)
        }
    }

    /// Asks the service whether an enrolled account has another policy, and writes the answer down.
    func check(_ request: AccountRecord) async {
        let identity = request.identity
        do {
            let credential = try await self.credential(of: request, nil)
            let answer = try await part(of: request) { [service] in try await service.checkPolicy(credential) }
            switch answer.since(request.policyText) {
            case .unchanged:
                let request = await configured(request, credential)
                if waitsForRestart || accounts.isEnrolled(identity) || IdentityRevocation.isRevokedItself(identity) {
                    finish(request, .policyUnchanged, "the policy is unchanged")
                } else {
                    // As after a start without it.
                    try accept(request.policyText, request)
                }
            case .replaced(let policy): try accept(policy, await configured(request, credential))
            case .removed(let text):
                // Where the store fails it is revoked all the same, and written down later, or the service is asked again.
                try? leave(identity, text, wiping: true, lease: request.lease)
            }
        } catch {
            guard fail(request, error) == .silent else { return }
            // Where the store fails it is revoked all the same, and written down later.
            let reason = "the service has not confirmed a policy for too long"
            try? leave(identity, reason, wiping: true, tells: true, lease: request.lease)
        }
    }

    private func credential(of request: AccountRecord, _ given: AccountCredential?) async throws -> AccountCredential {
        if let given { return given }
        let found = try await part(of: request) { [self] in
            try await askProvider(for: request.identity, prompting: false)
        }
        return try credential(of: request.identity, found)
    }

    /// Ends a request by the answer of a service, by whose event each process has it in force, and puts nothing into force itself.
    private func accept(_ text: String?, _ request: AccountRecord) throws {
        var accepted = request
        accepted.policyText = text
        if let text, Self.policy(of: request.identity, in: text) == nil {
            throw EnrollmentFailure(.malformedAnswer, "the text of policies is none, or has none for the account")
        }
        let failure = try changing { [accepted] transaction -> EnrollmentFailure? in
            guard let now = try transaction.account(request.identity), request.counts(in: now) else {
                return Self.hasLeftMeanwhile
            }
            if let refusal = try refusal(of: accepted, transaction) { return refusal }
            try write(accepted, over: now, transaction)
            return nil
        }
        if let failure { throw failure }
        notifyEvents()
    }

    /// The policy of an account in the text that a service gave; `nil` where it has none, or is none.
    static func policy(of identity: Identity, in text: String) -> Policy? {
        try? PolicySet(json: text.utf8).policy(of: identity)
    }

    /// Says why an account is not enrolled by an answer, by what is known when that is written down; `nil` where it is.
    private func refusal(
        of accepted: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws -> EnrollmentFailure? {
        if let failure = try another(insteadOf: accepted, transaction) { return failure }
        let hasPolicy = accepted.policyText != nil && policies != nil
        guard let error = accounts.refusal(of: accepted.identity, hasPolicy: hasPolicy) else { return nil }
        // Who is enrolled stays so, under nothing where it may do nothing, and for others where it is revoked here: a policy that is
        // heard of must not end as silence.
        if accepted.stage == .enrolled, [.notAllowed, .noPolicy, .revoked].contains(error.code) { return nil }
        return EnrollmentFailure(error.code == .anotherIsEnrolled ? .anotherIsEnrolled : .refused, error.message)
    }

    /// Writes an accepted answer down in place of what its account was.
    private func write(
        _ accepted: AccountRecord,
        over now: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws {
        var now = now
        let (wasEnrolled, configurationBefore) = (now.stage == .enrolled, now.configurationText)
        let waits = waitsForRestart && !now.hadPolicy
        (now.stage, now.lease, now.lastRun, now.wasAsked) = (
            .enrolled, nil, try transaction.time().now, true
        )
        now.hadPolicy = !waits
        (now.policyText, now.configurationText) = (accepted.policyText, accepted.configurationText)
        (now.policyConfirmed, now.silence) = (try transaction.time(), .heard)
        now.due = try time.next(of: now, transaction)
        try transaction.put(now)
        // One managed user: nobody else tries while there is one.
        if accounts.mode.managesOne { try transaction.setDueOfRegistered(nil) }
        let (status, text): (AccountEventStatus, String) =
            wasEnrolled
            ? (.policyReplaced, "a new policy has arrived")
            : waits
                ? (.restartRequested, "its policy has arrived, and is in force after a restart")
                : (.enrolled, "the account is enrolled")
        try note(now.identity, status, text, ending: AccountRequest(of: accepted), in: transaction)
        try noteConfiguration(of: now, after: configurationBefore, in: transaction)
        // Nothing has begun that would have to again.
        if !wasEnrolled, !waits, !state.isStarting {
            try note(now.identity, .restartRequested, "the first policy has arrived", in: transaction)
        }
    }
}
