/// Plain Dispatch calls carry no identity, though the program relies on it.
public enum IdentityInterpositionError: Error, Hashable, Sendable {
    /// Somebody turned it off.
    case isOff
    /// It cannot be turned on, for this reason.
    case isRefused(String)
}

extension IdentityInterpositionError: CustomStringConvertible {
    /// The message for people: what is wrong, and what to do.
    public var description: String {
        switch self {
        case .isOff:
            "Plain Dispatch calls carry no identity: it was turned off. Call turnOn(), or start the process without "
                + "MULTI_IDENTITY_AUTOMATIC=off."
        case .isRefused(let reason):
            "Plain Dispatch calls carry no identity: \(reason). Mend that, or use `propagatingIdentity`."
        }
    }
}
