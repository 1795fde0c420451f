import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Asks the service to enroll an account, and stores the answer.
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
            // A request that timed out may still succeed, and so may that of another process.
            let isLate = credential != nil && Self.failure(error).status == .timedOut
            request.wasAsked = request.wasAsked || isAccepted || isLate
            guard fail(request, error, isAccepted: isAccepted) == .unwanted else { return }
            if credential == nil { credential = await credentialToNotify(request, nil) }
            await takeBack(request, credential)
        }
    }

    /// Asks the service whether an enrolled account has another policy, and stores the answer.
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
                    // As after a start without a policy.
                    try accept(request.policyText, request)
                }
            case .replaced(let policy): try accept(policy, await configured(request, credential))
            case .removed(let text):
                // If the store fails, the account is revoked anyway, and stored later, or the service is asked again.
                try? leave(identity, text, wiping: true, lease: request.lease)
            }
        } catch {
            guard fail(request, error) == .silent else { return }
            // If the store fails, the account is revoked anyway, and stored later.
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

    /// Stores the answer of a service; each process puts it into force when it reads the event.
    private func accept(_ text: String?, _ request: AccountRecord) throws {
        var accepted = request
        accepted.policyText = text
        if let text, Self.policy(of: request.identity, in: text) == nil {
            throw EnrollmentFailure(.malformedAnswer, "the policy text is invalid, or has no policy for the account")
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

    /// Returns the policy of an account in a service's text; `nil` if there is none, or if the text is invalid.
    static func policy(of identity: Identity, in text: String) -> Policy? {
        try? PolicySet(json: text.utf8).policy(of: identity)
    }

    /// Returns why an answer does not enroll an account, at the time of storing it; `nil` if it does.
    private func refusal(
        of accepted: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws -> EnrollmentFailure? {
        if let failure = try another(insteadOf: accepted, transaction) { return failure }
        let hasPolicy = accepted.policyText != nil && policies != nil
        guard let error = accounts.refusal(of: accepted.identity, hasPolicy: hasPolicy) else { return nil }
        // An enrolled account stays enrolled, even if nothing is allowed or it is revoked here: an answer must not count as silence.
        if accepted.stage == .enrolled, [.notAllowed, .noPolicy, .revoked].contains(error.code) { return nil }
        return EnrollmentFailure(error.code == .anotherIsEnrolled ? .anotherIsEnrolled : .refused, error.message)
    }

    /// Stores an accepted answer in the account's record.
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
        // With one managed user, no other account tries while one is enrolled.
        if accounts.mode.managesOne { try transaction.setDueOfRegistered(nil) }
        let (status, text): (AccountEventStatus, String) =
            wasEnrolled
            ? (.policyReplaced, "a new policy has arrived")
            : waits
                ? (.restartRequested, "its policy has arrived, and is in force after a restart")
                : (.enrolled, "the account is enrolled")
        try note(now.identity, status, text, ending: AccountRequest(of: accepted), in: transaction)
        try noteConfiguration(of: now, after: configurationBefore, in: transaction)
        // During the start, no work has begun that a restart would affect.
        if !wasEnrolled, !waits, !state.isStarting {
            try note(now.identity, .restartRequested, "the first policy has arrived", in: transaction)
        }
    }
}
