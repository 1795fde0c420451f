public import Dispatch

// One for each kind, since the makers of sources give protocols, and a view of `Self` cannot be had of those: so the view
// knows which kind it is of, and has what that kind has. The first is for what has no kind of its own here.
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

// Of the class that is all of them at once.
extension DispatchSource {
    /// A view of this source with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: IdentitySource<DispatchSource> { IdentitySource(self, self) }
}
