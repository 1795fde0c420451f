extension Identity {
    /// The thread level here: of the current task in asynchronous code, otherwise of the current thread; `nil` if unset.
    ///
    /// This is only one level. For the identity that work counts as, use ``EffectiveIdentity``.
    ///
    /// - Complexity: O(1), however deeply scopes nest: some 30 instructions outside tasks, 60 inside.
    @inlinable
    public static var current: Identity? {
        let snapshot = ThreadMirror.current()
        if let identity = snapshot.identityRead { return identity }
        noneWasRead(in: snapshot)
        return nil
    }

    @usableFromInline
    static func noneWasRead(in snapshot: IdentitySnapshot) {
        if !BindingFeatures.inUse.isDisjoint(with: .inUnboundReads) {
            StrictMode.notifyNone("Identity.current was read", .reads, nil, snapshot)
        }
    }

    /// Returns the thread level here, for code that must not run without an identity.
    ///
    /// - Returns: The identity, which can be ``nobody``: that is an explicit choice.
    /// - Throws: ``IdentityError`` with the code `.noIdentity` if the thread level is unset, `.inferredIdentity` if it was
    ///   inferred and must not decide (``IdentityInference``), and `.revoked` if it is nobody in work of a revoked owner
    ///   (``IdentityRevocation/revokedOwner``).
    public static func required(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(IdentityError) -> Identity {
        let snapshot = ThreadMirror.current()
        if let identity = snapshot.identity {
            guard let frame = snapshot.frame else { return identity }
            frame.noteRead()
            if let inference = snapshot.inference { try inference.require(identity, fileID, line, snapshot) }
            guard identity.isNobody, let owner = frame.revokedWork?.owner else { return identity }
            throw IdentityError(
                .revoked,
                "\(fileID):\(line) requires an identity, and this is work of \(owner), which runs as nobody: \(owner.remedy).",
                revokedOwner: owner
            )
        }
        if !BindingFeatures.inUse.isDisjoint(with: .inUnboundReads) {
            let site = CallSite(fileID, line)
            StrictMode.notifyNone("Identity.required() was called", .requirements, site, snapshot)
        }
        throw IdentityError(
            .noIdentity,
            """
            \(fileID):\(line) requires an identity, and none is bound here. Bind one with withIdentity(_:) where the \
            work begins, and hand work over through propagatingIdentity, so that it is not lost on the way.
            """
        )
    }
}

extension IdentityInference {
    /// Returns the identity that code requires, or throws the reason why not.
    fileprivate func require(
        _ identity: Identity,
        _ fileID: StaticString,
        _ line: UInt,
        _ snapshot: IdentitySnapshot
    ) throws(IdentityError) {
        if BindingFeatures.inUse.contains(.strictness) {
            let site = CallSite(fileID, line)
            StrictMode.notify(self, by: "Identity.required() was called", .requirements, site, snapshot)
        }
        guard Self.effect == .isOnlyShown else { return }
        throw IdentityError(
            .inferredIdentity,
            "\(fileID):\(line) requires an identity, and \(identity) is only shown here: \(remark)."
        )
    }
}

extension Identity {
    /// The thread level here, for display: strict mode does not report it if it is unset.
    package static var shownHere: Identity? { ThreadMirror.current().identity }

    /// Returns the current identity, for a decision: none if it was inferred and must not decide, which strict mode reports.
    package static func forDeciding(by asked: String) -> Identity? {
        let snapshot = ThreadMirror.current()
        guard let inference = snapshot.inference else { return current }
        if BindingFeatures.inUse.contains(.strictness) {
            StrictMode.notify(inference, by: asked, .reads, nil, snapshot)
        }
        return snapshot.withheldInference == nil ? current : nil
    }
}
