/// A mark of an identity that automatic mode *inferred*: from who handed the work over, where no one said for whom it is.
///
/// Automatic mode sees who calls `dispatch_async`. A library that delivers in one piece of work what several callers sent
/// calls it for others too, and then their closures run as the first of them. What a scope, a wrapper of this package or
/// `IdentitySnapshot.wrap` binds is explicit, and so is a scope inside inferred work; work that is handed over and tasks
/// that are started in inferred work are inferred too.
///
/// ```swift
/// IdentityInference.effect = .isOnlyShown  // or MULTI_IDENTITY_AUTOMATIC=only-shown in the environment
/// ```
public struct IdentityInference: Hashable, Sendable {
    /// The weight of an inferred identity in decisions.
    public enum Effect: Hashable, Sendable, CaseIterable {
        /// It is not marked, and decides as any other; costs nothing.
        case decides
        /// It is marked, and decides: explanations show it, and strict mode reports what is decided by it.
        case isMarked
        /// It is marked, and nothing is decided by it.
        ///
        /// `Identity.current` shows it. `Identity.required()` throws, work counts as nobody's
        /// (``EffectiveIdentity``), baggage claims nothing, and owners of files and policies refuse.
        case isOnlyShown
    }

    /// The boundary at which the work was handed over when its identity was first inferred.
    public let boundary: IdentityBoundary
    /// The name of what it was handed to, as a queue's label; `nil` where that has none.
    public let place: String?

    /// The weight of inferred identities in the whole process; ``Effect/decides`` at first.
    ///
    /// What was captured while it was ``Effect/decides`` is not marked, whatever comes later: set it where the program begins.
    public static var effect: Effect {
        get {
            let features = BindingFeatures.inUse
            if !features.contains(.inference) { return .decides }
            return features.contains(.inferencesOnlyShown) ? .isOnlyShown : .isMarked
        }
        set {
            BindingFeatures.set(.inference, to: newValue != .decides)
            BindingFeatures.set(.inferencesOnlyShown, to: newValue == .isOnlyShown)
        }
    }

    /// The mark of the identity bound here; `nil` where it is explicit, or none is bound.
    ///
    /// - Complexity: O(1).
    public static var current: IdentityInference? { ThreadMirror.current().inference }

    /// The same where nothing is to be decided by it.
    package static var withheld: IdentityInference? { ThreadMirror.current().withheldInference }

    /// A sentence on what is wrong with deciding by it, and what to do.
    package var remark: String {
        """
        automatic mode inferred it from who handed the work over (\(self)), which need not be for whom it is done. Wrap the \
        closure where its owner hands it over, with IdentitySnapshot.capture().wrap, or open a scope of its owner in it
        """
    }
}

extension IdentityInference: CustomStringConvertible {
    /// `async on "mail"`.
    public var description: String { boundary.name + (place.map { " on \"\(EscapedText($0))\"" } ?? "") }
}

extension IdentitySnapshot {
    /// The mark of its identity, if that was inferred.
    var inference: IdentityInference? {
        if case .frame(let frame) = held { frame.origin.contents.inference } else { nil }
    }

    /// The same where nothing is to be decided by it.
    var withheldInference: IdentityInference? {
        BindingFeatures.inUse.contains(.inferencesOnlyShown) ? inference : nil
    }

    /// The identity that work under this counts as: nobody, where the one it shows was inferred and is only shown.
    var decidingIdentity: Identity? { withheldInference == nil ? identity : .nobody }

    /// This, as automatic mode captures it.
    ///
    /// The first inference stays: from that one the others follow.
    func inferred(at boundary: IdentityBoundary, of place: () -> String?) -> IdentitySnapshot {
        if inference != nil { return self }
        var contents = contents ?? BindingFrameContents(identity: identity)
        // With nothing bound, plain calls would say the same.
        guard contents.identity != nil else { return self }
        contents.inference = IdentityInference(boundary: boundary, place: place())
        return contents.snapshot
    }

    /// This, without its mark where its owner is bound here explicitly: the runner vouches for it, as with plain calls.
    var vouchedFor: IdentitySnapshot {
        guard inference != nil, var contents else { return self }
        let here = ThreadMirror.current()
        guard here.inference == nil, here.owner == owner else { return self }
        contents.inference = nil
        return contents.snapshot
    }
}
