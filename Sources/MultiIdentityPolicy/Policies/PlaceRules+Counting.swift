import MultiIdentity

extension PlaceRules {
    /// The rule that applies to a place, and its verdict.
    struct Answer: Equatable {
        let rule: String
        let isAllowed: Bool
        /// What the place counts as in words, if that differs from its name.
        var countsAs: String?
    }

    /// Returns the verdict of these rules, from a managed identity's policy, on a place.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - identity: The managed identity that the rules are for.
    ///   - isManaged: Whether another identity is managed.
    /// - Returns: What the place counts as, and whether that is allowed.
    func answer(_ place: DataPlace, for identity: Identity, isManaged: (Identity) -> Bool) -> Answer {
        let isReachedAsItself = place.account == .identity(identity)
        switch place.kind {
        case .localStorage: return Answer(rule: "localStorage", isAllowed: localStorage)
        case .deviceInput: return Answer(rule: "deviceInput", isAllowed: deviceInput)
        case .space(identity): return asOwnDocuments
        case .space(let other):
            return Answer(rule: "spaces", isAllowed: spaces.admits(other, isManaged: isManaged(other)))
        case .service(let name):
            switch services[name] {
            case nil: return isReachedAsItself ? asOwnDocuments : asOther
            case .ownAccount? where !isReachedAsItself: return asOther
            case let rule?: return Answer(rule: "services.\(name)", isAllowed: rule != .refused)
            }
        case .other: return isReachedAsItself ? asOwnDocuments : asOther
        }
    }

    private var asOwnDocuments: Answer {
        Answer(rule: "ownDocuments", isAllowed: ownDocuments, countsAs: "the account's own documents")
    }

    private var asOther: Answer { Answer(rule: "other", isAllowed: other, countsAs: "other") }
}
