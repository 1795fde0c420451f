import MultiIdentity

extension AccountsView {
    /// The finding of one rule on a question; all have to allow it.
    private struct Finding {
        let isAllowed: Bool
        let rule: PolicyRule
        let policyOwner: Identity?
        var remark = ""
    }

    /// The answer: the first rule that refuses decides; if none does, the last rule that applies.
    func decide(_ question: PolicyQuestion, for identity: Identity?) -> PolicyDecision {
        if let inference = IdentityInference.withheld, identity?.isNobody ?? true || identity == .current {
            return decision(false, question, identity, by: .inferred, of: nil, ": \(inference.remark)")
        }
        if withoutOwner == .refused, identity == nil || identity == .nobody {
            return decision(
                false,
                question,
                identity,
                by: .withoutOwner,
                of: nil,
                ": it needs an owner and has none, and work without an owner is refused"
            )
        }
        let concerned = [identity, question.otherIdentity].compactMap { $0 } + (identity?.actor?.identities ?? [])
        if let revoked = concerned.first(where: IdentityRevocation.isRevoked) {
            return decision(
                false,
                question,
                identity,
                by: .revoked,
                of: nil,
                ": \(revoked) \(RevokedOwner(of: revoked).why), and its data is neither given nor added to"
            )
        }
        let other = question.otherIdentity == identity ? nil : question.otherIdentity
        let findings = [
            identity.flatMap { identity in limits(of: identity) { outward(question, identity, $0) } },
            other.flatMap { other in limits(of: other) { inward(question, identity, other, $0) } },
        ].compactMap { $0 }
        guard let deciding = findings.first(where: { !$0.isAllowed }) ?? findings.last else {
            let isManaged = identity.map(isManaged) ?? false
            let remark = isManaged ? ": it stays with its identity" : ": an unmanaged identity has no limits"
            return decision(true, question, identity, by: .unlimited, of: nil, remark)
        }
        return decision(
            deciding.isAllowed,
            question,
            identity,
            by: deciding.rule,
            of: deciding.policyOwner,
            deciding.remark
        )
    }

    /// Returns the finding of an identity's policy; `nil` where no policy applies to it.
    ///
    /// If the identity may not be used, whatever ``Policy/nothing`` does not allow is refused.
    private func limits(of identity: Identity, _ find: (Policy) -> Finding?) -> Finding? {
        switch standing(of: identity) {
        case .unmanaged: return nil
        case .managed(let policy): return find(policy)
        case .withoutPolicy(let absence):
            guard let finding = find(.nothing), !finding.isAllowed else { return find(.nothing) }
            let remark = ": \(identity) is managed and has no policy here, since \(absence.rawValue)"
            return Finding(isAllowed: false, rule: .noPolicy, policyOwner: nil, remark: remark)
        }
    }

    /// Returns the finding of the identity's own policy; `nil` where the data stays with it.
    private func outward(_ question: PolicyQuestion, _ identity: Identity, _ policy: Policy) -> Finding? {
        switch question {
        case .save(let place):
            if place.kind == .deviceInput {
                return Finding(
                    isAllowed: false,
                    rule: PolicyRule("saveTo.deviceInput"),
                    policyOwner: identity,
                    remark: ": device input can only be opened from"
                )
            }
            return finding("saveTo", policy.saveTo, place, identity)
        case .open(let place):
            return finding("openFrom", policy.openFrom, place, identity)
        case .share(let other):
            if other == identity { return nil }
            let isManaged = other.map(isManaged) ?? false
            return Finding(
                isAllowed: policy.shareWith.admits(other, isManaged: isManaged),
                rule: .shareWith,
                policyOwner: identity,
                remark: ": it shares with \(policy.shareWith.inWords)"
            )
        case .log:
            return Finding(isAllowed: policy.log, rule: .log, policyOwner: identity)
        case .sendOut:
            return Finding(isAllowed: policy.sendOut, rule: .sendOut, policyOwner: identity)
        case .notify(let content):
            return Finding(
                isAllowed: content <= policy.notify,
                rule: .notify,
                policyOwner: identity,
                remark: ": its notifications show \(policy.notify.inWords)"
            )
        case .automate:
            return Finding(isAllowed: policy.automate, rule: .automate, policyOwner: identity)
        }
    }

    /// Returns the finding of another managed identity's policy on data that would go into or out of its space.
    private func inward(
        _ question: PolicyQuestion,
        _ identity: Identity?,
        _ owner: Identity,
        _ policy: Policy
    ) -> Finding {
        let isComingIn = if case .open = question { false } else { true }
        let isManaged = identity.map(isManaged) ?? false
        let rule = isComingIn ? policy.receiveFrom : policy.shareWith
        return Finding(
            isAllowed: rule.admits(identity, isManaged: isManaged),
            rule: isComingIn ? .receiveFrom : .shareWith,
            policyOwner: owner,
            remark: ": \(owner) \(isComingIn ? "receives from" : "shares with") \(rule.inWords)"
        )
    }

    private func finding(_ key: String, _ rules: PlaceRules, _ place: DataPlace, _ identity: Identity) -> Finding {
        let answer = rules.answer(place, for: identity, isManaged: isManaged)
        return Finding(
            isAllowed: answer.isAllowed,
            rule: PolicyRule("\(key).\(answer.rule)"),
            policyOwner: identity,
            remark: answer.countsAs.map { ", which counts as \($0)" } ?? ""
        )
    }

    private func decision(
        _ isAllowed: Bool,
        _ question: PolicyQuestion,
        _ identity: Identity?,
        by rule: PolicyRule,
        of policyOwner: Identity?,
        _ remark: String
    ) -> PolicyDecision {
        let who = identity?.description ?? "work without an identity"
        return PolicyDecision(
            isAllowed,
            for: identity,
            by: rule,
            of: policyOwner,
            "\(who) \(isAllowed ? "may" : "may not") \(question)\(remark)"
        )
    }
}
