import MultiIdentity

extension AuditEvent {
    init(_ change: AccountsChange) {
        switch change {
        case .enrolled(let identity): self.init(.enrolled, of: identity, because: "\(change)")
        case .left(let identity): self.init(.left, of: identity, because: "\(change)")
        case .revoked(let identity, _): self.init(.revoked, of: identity, because: "\(change)")
        case .readmitted(let identity): self.init(.readmitted, of: identity, because: "\(change)")
        case .policiesReplaced: self.init(.policiesReplaced, of: nil, because: "\(change)")
        }
    }
}
