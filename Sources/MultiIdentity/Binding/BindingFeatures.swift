import CMultiIdentity

/// What somebody in this process has in use; what nobody uses costs one load and one branch.
struct BindingFeatures: OptionSet {
    let rawValue: UInt32

    /// Levels of one's own.
    static let ownLevels = BindingFeatures(rawValue: 1 << 0)
    /// Where scopes were opened, and the hops that work came by.
    static let provenance = BindingFeatures(rawValue: 1 << 1)
    /// Other task-local values that travel along.
    static let companions = BindingFeatures(rawValue: 1 << 2)
    static let budgets = BindingFeatures(rawValue: 1 << 3)
    static let counters = BindingFeatures(rawValue: 1 << 4)
    static let sentinel = BindingFeatures(rawValue: 1 << 5)
    static let runningWork = BindingFeatures(rawValue: 1 << 6)
    static let strictness = BindingFeatures(rawValue: 1 << 7)

    /// What a scope has to keep a frame for.
    static let inScopes: BindingFeatures = [.ownLevels, .provenance, .budgets, .runningWork, .strictness]
    /// What has a capture take more than the thread level.
    static let inCaptures: BindingFeatures = [
        .provenance, .companions, .budgets, .sentinel, .runningWork, .strictness,
    ]
    /// What has a restore do more than bind.
    static let inRestores: BindingFeatures = [
        .companions, .budgets, .counters, .sentinel, .runningWork, .strictness,
    ]

    static var inUse: BindingFeatures { BindingFeatures(rawValue: mi_frame_features_load()) }
    static func insert(_ features: BindingFeatures) { mi_frame_features_insert(features.rawValue) }
    static func remove(_ features: BindingFeatures) { mi_frame_features_remove(features.rawValue) }
    static func set(_ features: BindingFeatures, to isOn: Bool) {
        if isOn { insert(features) } else { remove(features) }
    }
}
