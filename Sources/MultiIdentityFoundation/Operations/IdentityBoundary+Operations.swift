import MultiIdentity

extension IdentityBoundary {
    static let operation = IdentityBoundary("operation")
    static let barrierBlock = IdentityBoundary("barrier block")
    static let completionBlock = IdentityBoundary("completion block")
}
