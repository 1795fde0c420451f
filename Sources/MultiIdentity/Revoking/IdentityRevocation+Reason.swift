extension IdentityRevocation {
    /// The reason why an identity may no longer work.
    public enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
        /// It was signed out; its data is still there.
        case signedOut
        /// Its data is being removed, or was.
        case wiped
    }
}

extension IdentityRevocation.Reason: CustomStringConvertible {
    /// `signed out` or `wiped`.
    public var description: String {
        switch self {
        case .signedOut: "signed out"
        case .wiped: "wiped"
        }
    }
}
