import CMultiIdentity

/// What travels besides the identity.
///
/// Most programs never need one: an identity alone is bound as it is.
@usableFromInline
final class BindingFrame: Sendable {
    let identity: Identity?
    /// Levels of one's own; `nil` for the shared ones.
    let levels: IdentityLevels?
    let site: BindingSite?

    init(identity: Identity?, levels: IdentityLevels?, site: BindingSite?) {
        self.identity = identity
        self.levels = levels
        self.site = site
    }

    /// What makes a frame necessary.
    ///
    /// While none is in use, binding asks with one load and looks no further.
    struct Features: OptionSet {
        let rawValue: UInt32
        static let ownLevels = Features(rawValue: 1 << 0)
        static let bindingSites = Features(rawValue: 1 << 1)

        static var inUse: Features { Features(rawValue: mi_frame_features_load()) }
        static func insert(_ features: Features) { mi_frame_features_insert(features.rawValue) }
        static func remove(_ features: Features) { mi_frame_features_remove(features.rawValue) }
    }
}

extension IdentitySnapshot {
    /// What a scope binds: the identity, and whatever else is in force where the scope opens.
    @usableFromInline
    static func binding(_ identity: Identity?, _ fileID: StaticString, _ line: UInt) -> IdentitySnapshot {
        let features = BindingFrame.Features.inUse
        if features.isEmpty {
            if let identity { return IdentitySnapshot(.identity(identity)) } else { return .nothing }
        }
        return framed(identity, features.contains(.bindingSites) ? BindingSite(fileID: fileID, line: line) : nil)
    }

    private static func framed(_ identity: Identity?, _ site: BindingSite?) -> IdentitySnapshot {
        let levels: IdentityLevels? = if case .frame(let frame) = capture().held { frame.levels } else { nil }
        if levels != nil || site != nil {
            return IdentitySnapshot(.frame(BindingFrame(identity: identity, levels: levels, site: site)))
        }
        if let identity { return IdentitySnapshot(.identity(identity)) } else { return .nothing }
    }

    /// The same thread level under other levels.
    func under(_ levels: IdentityLevels) -> IdentitySnapshot {
        BindingFrame.Features.insert(.ownLevels)
        return IdentitySnapshot(.frame(BindingFrame(identity: identity, levels: levels, site: site)))
    }
}
