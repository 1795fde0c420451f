// What scopes, captures and restores do in addition while revocation is on.
extension WorkStanding {
    /// Counts a scope that is about to be bound, inside the binding around it.
    init(ofScopeFor identity: Identity?, inside outer: BindingFrame?) {
        if let identity, !identity.isNobody {
            let record = identity.spelling.record
            // An explicit scope is not captured work: it belongs to the name's current life.
            let generation = record.workBegins().generation
            self = .ongoing(OngoingWork(counted: record, generation, inside: outer?.standing.ongoingHere))
        } else if let work = outer?.revokedWork {
            // A scope of nobody inside revoked work stays revoked.
            self = .revoked(work)
        } else {
            self = outer?.standing.ongoingHere.map(Self.inside) ?? .unknown
        }
    }
}

extension BindingFrameContents {
    /// Records the work around a binding of nobody or of nothing, so that a drain of that work in here can exclude it.
    private mutating func beginInside(_ outer: BindingFrame?) {
        if standing.isUnknown, let work = outer?.standing.ongoingHere { standing = .inside(work) }
    }

    /// Changes this to what crosses a boundary in its place.
    mutating func beginCapture(at boundary: IdentityBoundary) {
        // Unset stays unset, and remembers the owner.
        if case .revoked = standing { return }
        if let work = standing.revokedWork(of: identity) {
            // It shows nobody here, and so does everything captured here, for good.
            standing = .revoked(work)
            self.identity = .nobody
            return
        }
        guard let identity, !identity.isNobody else {
            standing = .unknown
            return
        }
        let waits = boundary.isWaitedFor
        let record = identity.spelling.record
        standing = .captured(CapturedWork(of: record, generation, isPartOfCaller: waits))
    }

    /// Does the same for a snapshot of a given identity, as in a scope that opens now.
    mutating func beginCapture(ofScopeFor identity: Identity?) {
        standing = .unknown
        guard let identity, !identity.isNobody else {
            standing = ThreadMirror.current().frame?.revokedWork.map(WorkStanding.revoked) ?? .unknown
            return
        }
        let record = identity.spelling.record
        standing = .captured(CapturedWork(of: record, record.tally.generation, isPartOfCaller: false))
    }

    /// Returns this as it may begin, under nobody if necessary, and counts it; the runner ends the returned work.
    consuming func beginWork() -> (BindingFrameContents, OngoingWork?) {
        let (generation, isPartOfCaller) = (generation, isPartOfCaller)
        var contents = self
        guard let identity = contents.identity, !identity.isNobody else {
            contents.beginInside(ThreadMirror.current().frame)
            return (contents, nil)
        }
        let record = identity.spelling.record
        let tally = record.workBegins()
        if tally.keepsOut(generation), !isPartOfCaller {
            record.workEnds()
            contents.standing = .revoked(RevokedWork(of: identity, for: tally.reason))
            contents.identity = .nobody
            return (contents, nil)
        }
        let outer = ThreadMirror.current().frame?.standing.ongoingHere
        let ongoing = OngoingWork(counted: record, generation, inside: outer)
        contents.standing = .ongoing(ongoing)
        return (contents, ongoing)
    }

    private var generation: UInt32 { standing.generation }

    private var isPartOfCaller: Bool { if case .captured(let work) = standing { work.isPartOfCaller } else { false } }

    /// Makes what a waiting caller captured while revocation was off a part of the caller's work.
    fileprivate mutating func joinCaller() {
        switch standing {
        case .unknown, .ongoing: break
        case .captured, .inside, .revoked: return
        }
        guard let identity, !identity.isNobody else { return }
        standing = .captured(CapturedWork(of: identity.spelling.record, generation, isPartOfCaller: true))
    }
}

extension IdentityBoundary {
    /// True if the code that hands the work over waits for it: then the work is a part of that code.
    fileprivate var isWaitedFor: Bool { self == .sync || self == .concurrentPerform }
}

extension IdentitySnapshot {
    /// A snapshot of what is bound here that may be kept for later reading; it goes on showing what it shows here.
    var kept: IdentitySnapshot {
        guard BindingFeatures.inUse.contains(.revocation), var contents else { return self }
        contents.beginCapture(at: .snapshot)
        return contents.snapshot
    }

    /// Returns this as it may begin, while revocation is on.
    func begun(_ features: BindingFeatures, at boundary: IdentityBoundary) -> (IdentitySnapshot, OngoingWork?) {
        guard features.contains(.revocation) else { return (self, nil) }
        var captured = contents ?? BindingFrameContents(identity: identity)
        if boundary.isWaitedFor { captured.joinCaller() }
        let (contents, ongoing) = captured.beginWork()
        return (contents.snapshot, ongoing)
    }
}

extension WorkStanding {
    /// The life of its identity that it belongs to; the first life if nothing is known, and so none after a revocation.
    var generation: UInt32 {
        switch self {
        case .unknown, .inside, .revoked: 0
        case .captured(let work): work.generation
        case .ongoing(let work): work.generation
        }
    }

    /// The work that runs in this very task, or on this very thread.
    var ongoingHere: OngoingWork? {
        switch self {
        case .ongoing(let work), .inside(let work): work.isHere ? work : nil
        case .unknown, .captured, .revoked: nil
        }
    }

    /// The work that shows nobody here, with its owner, in a binding of an identity.
    func revokedWork(of identity: Identity?) -> RevokedWork? {
        switch self {
        case .unknown, .captured, .inside: nil
        case .revoked(let work): work
        case .ongoing(let work):
            if let identity, work.isRevokedHere {
                RevokedWork(of: identity, for: work.record.tally.reason)
            } else {
                nil
            }
        }
    }
}

extension BindingFrame {
    /// The binding's state with respect to the revocation of its identity.
    var standing: WorkStanding { origin.contents.standing }

    /// The identity that a binding of this shows to code here.
    @usableFromInline
    var identity: Identity? {
        if let ongoing, ongoing.read({ $0.isRevokedHere }) { return .nobody }
        return origin.contents.identity
    }

    /// The work that shows nobody here, with its owner.
    var revokedWork: RevokedWork? { standing.revokedWork(of: origin.contents.identity) }

    /// True if the work that this is bound for is the work that runs here: a task inherits the binding too.
    var isOfWorkHere: Bool {
        ongoing?.read { $0.isHere || $0.handedOverIsHere } ?? false
    }
}

extension IdentitySnapshot {
    /// True if this belongs to no identity's work, and remembers none: it may always begin.
    var isOfNobodyAlone: Bool {
        switch held {
        case .nothing: true
        case .identity(let identity): identity.isNobody
        case .frame(let frame):
            frame.standing.isUnknown && frame.origin.contents.identity?.isNobody ?? true
        }
    }
}
