import CMultiIdentity

/// The contents of a frame: the identity, and what travels besides it.
///
/// Most programs never need one: an identity alone is bound as it is.
struct BindingFrameContents: Sendable {
    var identity: Identity?
    /// Levels of one's own; `nil` for the shared ones.
    var levels: IdentityLevels?
    /// The scope that bound the identity.
    var scope: ScopeRecord?
    /// The hops by which the work came from that scope to here.
    var journey: Journey?
    /// The values of other task-locals at the capture; `nil` in a frame that a scope binds.
    var companions: CompanionValues?
    /// The record of how the identity was inferred, where automatic mode did that.
    var inference: IdentityInference?
    /// The binding's standing towards the revocation of its identity.
    var standing = WorkStanding.unknown

    /// True if the identity alone says it all.
    private var isPlain: Bool {
        levels == nil && scope == nil && journey == nil && companions == nil && inference == nil && standing.isUnknown
    }

    /// The snapshot that holds this, as small as it can be.
    var snapshot: IdentitySnapshot {
        consuming get {
            if !isPlain { return IdentitySnapshot(.frame(OriginFrame(self))) }
            if let identity { return IdentitySnapshot(.identity(identity)) }
            return .nothing
        }
    }
}

/// The contents behind one reference, for the one word of a snapshot.
///
/// A hop makes a frame while hops are recorded. It holds only the journey, and refers to its origin for everything else: the frame
/// that a scope or a capture made.
@usableFromInline
class BindingFrame: @unchecked Sendable {
    // `@unchecked Sendable`: everything is constant, and what the pointers point to never changes.

    /// The frame with the contents, kept by this; `nil` where this is it.
    private let root: Borrowed<OriginFrame>?
    /// The hops by which the work came to here.
    let journey: Journey?
    /// A capture under this frame with what companions had then, for those that find the same.
    let captured = KeptFrame()
    /// The number of frames that keep this one so.
    let depth: Int

    /// The bytes of companions' values, which the contents keep.
    let companionBytes: UnsafePointer<mi_companion_values>?
    /// The work that this is bound for, or that it was captured in for work which runs once; the contents keep it.
    let ongoing: Borrowed<OngoingWork>?

    /// Makes a frame that holds what another one does, but came by another way.
    @inline(__always)
    init(like frame: BindingFrame, _ journey: consuming Journey) {
        root = Borrowed(retaining: frame.origin)
        self.journey = journey
        depth = 0
        companionBytes = frame.companionBytes
        ongoing = frame.ongoing
    }

    /// Makes the part that every frame has of one that has its contents itself.
    fileprivate init(
        ofOrigin journey: Journey?,
        depth: Int,
        _ companionBytes: UnsafePointer<mi_companion_values>?,
        _ ongoing: Borrowed<OngoingWork>?
    ) {
        root = nil
        self.journey = journey
        self.depth = depth
        self.companionBytes = companionBytes
        self.ongoing = ongoing
    }

    deinit { root?.release() }

    /// The frame with the contents, of which only the way is not this one's.
    @inline(__always)
    final var origin: OriginFrame {
        root?.read { $0 } ?? Borrowed(self).as(OriginFrame.self)  // all others have a root
    }

    /// A copy of the contents, to make others from; what is only read is read in the ``origin``.
    final var wholeContents: BindingFrameContents {
        var contents = origin.contents
        contents.journey = journey
        return contents
    }

    /// What was captured with this for one piece of work does not wait any more: that begins, or never will.
    ///
    /// Before it runs, since its thread can exit in it.
    ///
    /// - Parameter isCounted: True if its box counts it (``WorkBox``), and no ``CapturedWork`` does.
    final func endCapture(isCounted: Bool) {
        if isCounted {
            ongoing?.read { $0.captureEnds() }
        } else if case .captured(let work) = standing {
            work.end()
        }
    }

    final func endScope() {
        origin.contents.scope?.end()
        ongoing?.read { $0.end() }
    }
}

/// A frame of one hop, with room for the box that work waits in (``WorkBox``): to see the way takes no memory besides.
final class HopFrame: BindingFrame, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; the room is the box's, which has one owner.

    // Only ever reached by its address. All of it is trivial, so that nothing here ends what a box left.
    @exclusivity(unchecked) private var storage: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)

    /// Makes a frame that holds what another one does, and one hop more.
    ///
    /// In two ways, each with a hop of its own, and the way made where it stays: else all of it would be copied.
    @inline(__always)
    static func continuing(_ frame: BindingFrame, by hop: () -> KeptHop) -> HopFrame {
        frame.journey == nil
            ? HopFrame(like: frame, Journey(since: frame.origin.contents.scope?.began, by: hop()))
            : HopFrame(like: frame, Journey(continuing: frame.journey, since: nil, by: hop()))
    }

    /// Memory for a box, as long as this lives: a stored property of a final class stays where its object is.
    var room: UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &storage) { UnsafeMutableRawPointer($0) } }
}

/// A frame that has its contents itself.
final class OriginFrame: BindingFrame, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; the contents are constant.

    let contents: BindingFrameContents

    init(_ contents: consuming BindingFrameContents, depth: Int = 0) {
        let companionBytes = contents.companions?.bytes
        let ongoing = contents.standing.ongoing
        let journey = contents.journey
        self.contents = contents
        super.init(ofOrigin: journey, depth: depth, companionBytes, ongoing)
    }

    /// A frame for a scope: written where it stays, since contents are large.
    @inline(__always)
    init(of identity: Identity?, _ levels: IdentityLevels?, _ scope: ScopeRecord?, _ standing: WorkStanding) {
        let ongoing = standing.ongoing
        contents = BindingFrameContents(identity: identity, levels: levels, scope: scope, standing: standing)
        super.init(ofOrigin: nil, depth: 0, nil, ongoing)
    }
}

extension IdentitySnapshot {
    /// Returns what a scope binds: the identity, and whatever else is in force where the scope opens.
    @usableFromInline
    static func binding(_ identity: Identity?, _ fileID: StaticString, _ line: UInt) -> IdentitySnapshot {
        if BindingFeatures.inUse.isDisjoint(with: .inScopes) {
            if let identity { return IdentitySnapshot(.identity(identity)) } else { return .nothing }
        }
        let features = BindingFeatures.inUse
        let outer = ThreadMirror.current().frame
        let levels = outer?.origin.contents.levels
        let record = scopeRecord(of: identity, fileID, line, features)
        let standing =
            features.contains(.revocation) ? WorkStanding(ofScopeFor: identity, inside: outer) : .unknown
        // With companions a frame in any case: what is captured in the scope is kept there.
        if features.contains(.companions) || levels != nil || record != nil || !standing.isUnknown {
            return IdentitySnapshot(.frame(OriginFrame(of: identity, levels, record, standing)))
        }
        return identity.map { IdentitySnapshot(.identity($0)) } ?? .nothing
    }

    /// The same as if it had been captured in such a scope.
    static func capturing(_ identity: Identity?, _ fileID: StaticString, _ line: UInt) -> IdentitySnapshot {
        let features = BindingFeatures.inUse
        var contents = BindingFrameContents(identity: identity)
        contents.levels = ThreadMirror.current().frame?.origin.contents.levels
        contents.scope = scopeRecord(of: identity, fileID, line, features)
        contents.scope?.opensNothing()
        if features.contains(.revocation) { contents.beginCapture(ofScopeFor: identity) }
        return contents.snapshot
    }

    private static func scopeRecord(
        of identity: Identity?,
        _ fileID: StaticString,
        _ line: UInt,
        _ features: BindingFeatures
    ) -> ScopeRecord? {
        if features.isDisjoint(with: [.provenance, .budgets, .runningWork, .strictness]) { return nil }
        return ScopeRecord(of: identity, BindingSite(fileID, line))
    }

    /// The scope that this was bound for has ended.
    @usableFromInline
    func end() {
        if case .frame(let frame) = held { frame.endScope() }
    }

    /// The frame, if it takes one.
    var frame: BindingFrame? {
        if case .frame(let frame) = held { frame } else { nil }
    }

    /// A copy of the frame's contents, if it takes one, to make others from; what is only read is read in the ``frame``.
    var contents: BindingFrameContents? { frame?.wholeContents }

    /// The same thread level under other levels.
    func under(_ levels: IdentityLevels) -> IdentitySnapshot {
        BindingFeatures.insert(.ownLevels)
        var contents = contents ?? BindingFrameContents(identity: identity)
        contents.levels = levels
        return contents.snapshot
    }
}
