/// A mark of an identity that automatic mode *inferred* from the code that handed the work over.
///
/// Automatic mode sees who calls `dispatch_async`. A batching library calls it once for several callers, and then all their closures run
/// as the first of them. Identities bound by a scope, a wrapper of this package or `IdentitySnapshot.wrap` are explicit, including a
/// scope inside inferred work. Work handed over in inferred work, and tasks started in it, are inferred too.
///
/// ```swift
/// IdentityInference.effect = .isOnlyShown  // or MULTI_IDENTITY_AUTOMATIC=only-shown in the environment
/// ```
public struct IdentityInference: Hashable, Sendable {
    /// The effect of an inferred identity on decisions.
    public enum Effect: Hashable, Sendable, CaseIterable {
        /// The identity is not marked and decides like any other; this costs nothing.
        case decides
        /// The identity is marked and decides; explanations show the mark, and strict mode reports each decision.
        case isMarked
        /// The identity is marked and decides nothing.
        ///
        /// `Identity.current` shows it. `Identity.required()` throws, work counts as nobody's (``EffectiveIdentity``), baggage
        /// claims nothing, and file owners and policies refuse.
        case isOnlyShown
    }

    /// The boundary at which the work was handed over when its identity was first inferred.
    public let boundary: IdentityBoundary
    /// The name of the target, such as a queue's label; `nil` if it has none.
    public let place: String?

    /// The effect of inferred identities in the whole process; ``Effect/decides`` by default.
    ///
    /// Captures made under ``Effect/decides`` stay unmarked for good: set this when the program starts.
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

    /// The mark of the identity bound here; `nil` if it is explicit, or none is bound.
    ///
    /// - Complexity: O(1).
    public static var current: IdentityInference? { ThreadMirror.current().inference }

    /// The same mark, if the identity must not decide anything.
    package static var withheld: IdentityInference? { ThreadMirror.current().withheldInference }

    /// A sentence that says why not to decide by it, and what to do.
    package var remark: String {
        """
        automatic mode inferred it from the code that handed the work over (\(self)), which may act for another identity. Wrap \
        the closure where its owner hands it over, with IdentitySnapshot.capture().wrap, or open a scope of its owner in it
        """
    }
}

extension IdentityInference: CustomStringConvertible {
    /// `async on "mail"`.
    public var description: String { boundary.name + (place.map { " on \"\(EscapedText($0))\"" } ?? "") }
}

extension IdentitySnapshot {
    /// The mark of its identity, if that was inferred.
    package var inference: IdentityInference? {
        if case .frame(let frame) = held { frame.origin.contents.inference } else { nil }
    }

    /// The same mark, if the identity must not decide anything.
    var withheldInference: IdentityInference? {
        BindingFeatures.inUse.contains(.inferencesOnlyShown) ? inference : nil
    }

    /// The identity that work under this counts as: nobody if the shown identity was inferred and must not decide.
    package var decidingIdentity: Identity? { withheldInference == nil ? identity : .nobody }

    /// Returns this as automatic mode captures it.
    ///
    /// The first inference stays, since the others follow from it.
    func inferred(at boundary: IdentityBoundary, of place: () -> String?) -> IdentitySnapshot {
        if inference != nil { return self }
        var contents = contents ?? BindingFrameContents(identity: identity)
        // If nothing is bound, plain calls would carry nothing either.
        guard contents.identity != nil else { return self }
        contents.inference = IdentityInference(boundary: boundary, place: place())
        return contents.snapshot
    }

    /// This without its mark, if its owner is bound here explicitly: the runner vouches for it, as with plain calls.
    var vouchedFor: IdentitySnapshot {
        guard inference != nil, var contents else { return self }
        let here = ThreadMirror.current()
        guard here.inference == nil, here.owner == owner else { return self }
        contents.inference = nil
        return contents.snapshot
    }
}
