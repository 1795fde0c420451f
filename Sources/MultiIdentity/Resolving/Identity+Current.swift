extension Identity {
    /// The thread level here: of the current task in asynchronous code, else of the current thread; `nil` where unset.
    ///
    /// This is one level only. What work counts as is ``EffectiveIdentity``.
    ///
    /// - Complexity: O(1), however deeply scopes nest: some 30 instructions outside tasks, 60 inside.
    @inlinable
    public static var current: Identity? {
        let snapshot = ThreadMirror.current()
        if let identity = snapshot.identity { return identity }
        noneWasRead(in: snapshot)
        return nil
    }

    @usableFromInline
    static func noneWasRead(in snapshot: IdentitySnapshot) {
        if BindingFeatures.inUse.contains(.strictness) {
            StrictMode.notifyNone("Identity.current was read", .reads, nil, snapshot)
        }
    }

    /// The thread level here, for code that must not run without one.
    ///
    /// - Returns: The identity, which can be ``nobody``: that somebody decided.
    /// - Throws: ``IdentityError`` with the code `.noIdentity` where the thread level is unset, and
    ///   `.inferredIdentity` where it was inferred and is only shown (``IdentityInference``).
    public static func required(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(IdentityError) -> Identity {
        let snapshot = ThreadMirror.current()
        if let identity = snapshot.identity {
            if let inference = snapshot.inference { try inference.require(identity, fileID, line, snapshot) }
            return identity
        }
        if BindingFeatures.inUse.contains(.strictness) {
            let site = BindingSite(fileID, line)
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
    /// Lets code have the identity that it requires, or says why not.
    fileprivate func require(
        _ identity: Identity,
        _ fileID: StaticString,
        _ line: UInt,
        _ snapshot: IdentitySnapshot
    ) throws(IdentityError) {
        if BindingFeatures.inUse.contains(.strictness) {
            let site = BindingSite(fileID, line)
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
    /// The thread level here, to be shown: strict mode is not notified where it is unset.
    package static var shownHere: Identity? { ThreadMirror.current().identity }

    /// The current identity, for a decision: none where it was inferred and is only shown, of which strict mode is notified.
    package static func forDeciding(by asked: String) -> Identity? {
        let snapshot = ThreadMirror.current()
        guard let inference = snapshot.inference else { return current }
        if BindingFeatures.inUse.contains(.strictness) {
            StrictMode.notify(inference, by: asked, .reads, nil, snapshot)
        }
        return snapshot.withheldInference == nil ? current : nil
    }
}
