/// As whom a handler runs that somebody else may set off: chosen where it is registered.
public struct HandlerIdentity: Hashable, Sendable {
    private enum Choice { case owner, trigger }

    private let choice: Choice

    /// As the identity that registered the handler: right for nearly all of them.
    public static let owner = HandlerIdentity(choice: .owner)

    /// As the identity that set the handler off.
    ///
    /// Where that cannot be known (``IdentityTrigger/current`` is `nil`), the handler runs with nothing bound: never as
    /// somebody who might not have done it, its owner included.
    public static let trigger = HandlerIdentity(choice: .trigger)
}

extension BoundaryCapture {
    /// Runs a handler as was chosen for it, and shows it who set it off (``IdentityTrigger``).
    ///
    /// - Parameters:
    ///   - trigger: What was bound where the handler was set off; `nil` where that is not known.
    ///   - choice: As whom the handler runs.
    ///   - handler: The handler.
    package func restore(
        triggeredBy trigger: IdentitySnapshot?,
        runningAs choice: HandlerIdentity = .owner,
        _ handler: () -> Void
    ) {
        let party = choice == .owner ? self : setOff(by: trigger)
        party.restore { IdentityTrigger.run(setOffBy: trigger, handler) }
    }

    /// Returns the capture for a handler that runs as its trigger: of an unknown one, the owner's levels alone.
    private func setOff(by trigger: IdentitySnapshot?) -> BoundaryCapture {
        if let trigger { return BoundaryCapture(of: trigger, at: boundary) }
        var contents = BindingFrameContents(identity: nil)
        contents.levels = snapshot.frame?.origin.contents.levels
        return BoundaryCapture(of: contents.snapshot, at: boundary)
    }
}

extension IdentitySnapshot {
    /// The snapshot of what is bound here, for a handler that is set off here.
    package static var ofTrigger: IdentitySnapshot { ThreadMirror.current().kept }
}
