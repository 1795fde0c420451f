import CMultiIdentity

/// The contents of a frame: the identity, and what crosses boundaries with it.
///
/// Most programs never need one: an identity alone is bound without a frame.
struct BindingFrameContents: Sendable {
    var identity: Identity?
    /// Custom levels; `nil` for the shared ones.
    var levels: IdentityLevels?
    /// The scope that bound the identity.
    var scope: ScopeRecord?
    /// The hops that the work took from that scope to here.
    var journey: Journey?
    /// The limits on the tree of work that this is in.
    var limits: WorkLimits?
    /// The values of other task-locals at the capture; `nil` in a frame that a scope binds.
    var companions: CompanionValues?
    /// The record of how automatic mode inferred the identity, if it did.
    var inference: IdentityInference?
    /// The plain hops that brought the identity here, if automatic mode lists them.
    var plainHops: [ListedHops.Reads]?
    /// The binding's state with respect to the revocation of its identity.
    var standing = WorkStanding.unknown

    /// True if there is nothing but the identity.
    private var isPlain: Bool {
        levels == nil && scope == nil && journey == nil && limits == nil && companions == nil && inference == nil
            && plainHops == nil && standing.isUnknown
    }

    /// The smallest snapshot that contains this.
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
/// While hops are recorded, each hop makes a frame. It contains only the journey, and refers to its origin for
/// everything else: the frame that a scope or a capture made.
@usableFromInline
class BindingFrame: @unchecked Sendable {
    // `@unchecked Sendable`: everything is constant, and the memory behind the pointers never changes.

    /// The frame that has the contents, which this retains; `nil` if it is this one.
    private let root: Borrowed<OriginFrame>?
    /// The hops that the work took to here.
    let journey: Journey?
    /// A capture under this frame with the companions' values at that time, for later captures that find the same values.
    let captured = KeptFrame()
    /// The number of frames that retain this one in that way.
    let depth: Int

    /// The bytes of the companions' values, which the contents own.
    let companionBytes: UnsafePointer<mi_companion_values>?
    /// The work that this is bound for, or in which this was captured for work that runs once; the contents own it.
    let ongoing: Borrowed<OngoingWork>?

    /// Makes a frame with the contents of another one, but a different journey.
    @inline(__always)
    init(like frame: BindingFrame, _ journey: consuming Journey) {
        root = Borrowed(retaining: frame.origin)
        self.journey = journey
        depth = 0
        companionBytes = frame.companionBytes
        ongoing = frame.ongoing
    }

    /// Makes the common part of a frame that has its own contents.
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

    /// The frame that has the contents; only the journey is taken from this one.
    @inline(__always)
    final var origin: OriginFrame {
        root?.read { $0 } ?? Borrowed(self).as(OriginFrame.self)  // every frame without a root is an origin
    }

    /// A copy of the contents, for making others; use ``origin`` for reading.
    final var wholeContents: BindingFrameContents {
        var contents = origin.contents
        contents.journey = journey
        return contents
    }

    /// Ends the wait of the one piece of work that this was captured for: it begins now, or will never begin.
    ///
    /// Call it before the work runs, since the thread can exit in it.
    ///
    /// - Parameter isCounted: True if the work's box counts it (``WorkBox``), and no ``CapturedWork`` does.
    final func endCapture(isCounted: Bool) {
        if isCounted {
            ongoing?.read { $0.captureEnds() }
        } else if case .captured(let work) = standing {
            work.end()
        }
    }

    final func endScope() {
        origin.contents.limits?.close(for: self)
        origin.contents.scope?.end()
        ongoing?.read { $0.end() }
    }
}

/// A frame of one hop, with space for the box that the work waits in (``WorkBox``): recording hops takes no extra memory.
final class HopFrame: BindingFrame, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's conformance; the space belongs to the box, which has one owner.

    // It is only reached by its address. All of it is trivial, so that its destruction does not destroy what a box left there.
    @exclusivity(unchecked) private var storage: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)

    /// Makes a frame with the contents of another one, and one more hop.
    ///
    /// There are two branches, each with its own hop, and the journey is built in place: otherwise all of it would be copied.
    @inline(__always)
    static func continuing(_ frame: BindingFrame, by hop: () -> KeptHop) -> HopFrame {
        frame.journey == nil
            ? HopFrame(like: frame, Journey(since: frame.origin.contents.scope?.began, by: hop()))
            : HopFrame(like: frame, Journey(continuing: frame.journey, since: nil, by: hop()))
    }

    /// Memory for a box, valid while this lives: a stored property of a final class does not move.
    var room: UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &storage) { UnsafeMutableRawPointer($0) } }
}

/// A frame that has its own contents.
final class OriginFrame: BindingFrame, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's conformance; the contents are constant.

    let contents: BindingFrameContents

    init(_ contents: consuming BindingFrameContents, depth: Int = 0) {
        let companionBytes = contents.companions?.bytes
        let ongoing = contents.standing.ongoing
        let journey = contents.journey
        self.contents = contents
        super.init(ofOrigin: journey, depth: depth, companionBytes, ongoing)
    }

    /// Makes a frame for a scope, built in place since contents are large.
    @inline(__always)
    init(
        of identity: Identity?,
        _ levels: IdentityLevels?,
        _ scope: ScopeRecord?,
        _ limits: WorkLimits?,
        _ standing: WorkStanding
    ) {
        let ongoing = standing.ongoing
        contents = BindingFrameContents(
            identity: identity,
            levels: levels,
            scope: scope,
            limits: limits,
            standing: standing
        )
        super.init(ofOrigin: nil, depth: 0, nil, ongoing)
    }
}

extension IdentitySnapshot {
    /// Returns what a scope binds: the identity, and everything else that is in force where the scope opens.
    @usableFromInline
    static func binding(_ identity: Identity?, _ fileID: StaticString, _ line: UInt) -> IdentitySnapshot {
        binding(identity, nil, fileID, line)
    }

    /// Returns the same for a scope with limits of its own.
    @inline(__always)
    static func binding(
        _ identity: Identity?,
        _ limits: WorkLimits?,
        _ fileID: StaticString,
        _ line: UInt
    ) -> IdentitySnapshot {
        if BindingFeatures.inUse.isDisjoint(with: .inScopes) {
            if let identity { return IdentitySnapshot(.identity(identity)) } else { return .nothing }
        }
        let features = BindingFeatures.inUse
        let outer = ThreadMirror.current().frame
        let levels = outer?.origin.contents.levels
        let limits = limits ?? outer?.origin.contents.limits?.inScope
        let record = scopeRecord(of: identity, fileID, line, features)
        let standing =
            features.contains(.revocation) ? WorkStanding(ofScopeFor: identity, inside: outer) : .unknown
        // With companions it always takes a frame, which stores what is captured in the scope.
        if features.contains(.companions) || levels != nil || record != nil || limits != nil || !standing.isUnknown {
            return IdentitySnapshot(.frame(OriginFrame(of: identity, levels, record, limits, standing)))
        }
        return identity.map { IdentitySnapshot(.identity($0)) } ?? .nothing
    }

    /// Returns a snapshot as if it had been captured in such a scope.
    static func capturing(_ identity: Identity?, _ fileID: StaticString, _ line: UInt) -> IdentitySnapshot {
        let features = BindingFeatures.inUse
        var contents = BindingFrameContents(identity: identity)
        let outer = ThreadMirror.current().frame?.origin
        (contents.levels, contents.limits) = (outer?.contents.levels, outer?.contents.limits)
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
        return ScopeRecord(of: identity, CallSite(fileID, line))
    }

    /// Ends the asynchronous scope that this was bound for.
    @usableFromInline
    func end() {
        if case .frame(let frame) = held { frame.endScope() }
        TaskRun.scopeEnds()
    }

    /// The frame, if it has one.
    var frame: BindingFrame? {
        if case .frame(let frame) = held { frame } else { nil }
    }

    /// A copy of the frame's contents, if it has one, for making others; use ``frame`` for reading.
    var contents: BindingFrameContents? { frame?.wholeContents }

    /// Returns the same thread level under other levels.
    func under(_ levels: IdentityLevels) -> IdentitySnapshot {
        BindingFeatures.insert(.ownLevels)
        var contents = contents ?? BindingFrameContents(identity: identity)
        contents.levels = levels
        return contents.snapshot
    }
}
