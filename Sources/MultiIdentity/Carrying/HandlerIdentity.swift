/// The identity of a handler that other code may trigger, chosen where the handler is registered.
public struct HandlerIdentity: Hashable, Sendable {
    private enum Choice { case owner, trigger }

    private let choice: Choice

    /// The identity that registered the handler: right for nearly all handlers.
    public static let owner = HandlerIdentity(choice: .owner)

    /// The identity that triggered the handler.
    ///
    /// If it is unknown (``IdentityTrigger/current`` is `nil`), the handler runs with nothing bound: never as an identity that
    /// might not have triggered it, including its owner.
    public static let trigger = HandlerIdentity(choice: .trigger)
}

extension BoundaryCapture {
    /// Runs a handler as its registration chose, and provides its trigger (``IdentityTrigger``).
    ///
    /// - Parameters:
    ///   - trigger: The binding where the handler was triggered; `nil` if it is unknown.
    ///   - choice: Whether the handler runs as its owner or as its trigger.
    ///   - handler: The handler.
    package func restore(
        triggeredBy trigger: IdentitySnapshot?,
        runningAs choice: HandlerIdentity = .owner,
        _ handler: () -> Void
    ) {
        let party = choice == .owner ? self : setOff(by: trigger)
        party.restore { IdentityTrigger.run(setOffBy: trigger, handler) }
    }

    /// Returns the capture for a handler that runs as its trigger; for an unknown trigger, only the owner's levels.
    private func setOff(by trigger: IdentitySnapshot?) -> BoundaryCapture {
        if let trigger { return BoundaryCapture(of: trigger, at: boundary) }
        var contents = BindingFrameContents(identity: nil)
        contents.levels = snapshot.frame?.origin.contents.levels
        return BoundaryCapture(of: contents.snapshot, at: boundary)
    }
}

extension IdentitySnapshot {
    /// The snapshot of what is bound here, for a handler that is triggered here.
    package static var ofTrigger: IdentitySnapshot { ThreadMirror.current().kept }
}
