public import Dispatch

// One property for each kind, since the factory methods return protocols, and those cannot return a view of `Self`: so the view
// knows its kind, and has the operations of that kind. The first is for kinds without their own property.
extension DispatchSourceProtocol {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceProtocol> { IdentitySource(self, self) }
}

extension DispatchSourceTimer {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceTimer> { IdentitySource(self, self) }
}

extension DispatchSourceRead {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceRead> { IdentitySource(self, self) }
}

extension DispatchSourceWrite {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceWrite> { IdentitySource(self, self) }
}

extension DispatchSourceSignal {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceSignal> { IdentitySource(self, self) }
}

extension DispatchSourceUserDataAdd {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceUserDataAdd> { IdentitySource(self, self) }
}

extension DispatchSourceUserDataOr {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceUserDataOr> { IdentitySource(self, self) }
}

extension DispatchSourceUserDataReplace {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<any DispatchSourceUserDataReplace> { IdentitySource(self, self) }
}

// For the class that is all kinds at once.
extension DispatchSource {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<DispatchSource> { IdentitySource(self, self) }
}
