public import Dispatch

extension DispatchGroup {
    /// A view of this group with notifications that carry identity: each is captured when registered.
    public var propagatingIdentity: IdentityNotifier { IdentityNotifier(group: self) }
}
