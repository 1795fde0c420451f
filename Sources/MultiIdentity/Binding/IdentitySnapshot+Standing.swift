// What scopes, captures and restores do besides while revocation is on.
extension BindingFrameContents {
    /// Counts the scope that this is bound for, under the binding that is in force around it.
    mutating func beginScope(inside outer: BindingFrame?) {
        if let identity, !identity.isNobody {
            let record = identity.spelling.record
            // An explicit scope is not work that was captured: it belongs to the name as it stands.
            let generation = record.workBegins().generation
            standing = .ongoing(OngoingWork(counted: record, generation, inside: outer?.origin.contents.ongoingHere))
        } else if let work = outer?.origin.contents.revokedWork {
            // Nobody's scope inside work of somebody revoked does not make that work respectable.
            standing = .revoked(work)
        } else {
            beginInside(outer)
        }
    }

    /// Notes the work around what is nobody's, or where nothing is bound, for a drain of that work in here.
    private mutating func beginInside(_ outer: BindingFrame?) {
        if standing.isUnknown, let work = outer?.origin.contents.ongoingHere { standing = .inside(work) }
    }

    /// Changes this to what goes over a boundary in its place.
    mutating func beginCapture(at boundary: IdentityBoundary) {
        // Unset stays unset, and remembers.
        if case .revoked = standing { return }
        if let work = revokedWork {
            // It shows nobody here, and so does what is captured here, for good.
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

    /// The same for what was made for somebody, as in a scope that opens now.
    mutating func beginCapture(ofScopeFor identity: Identity?) {
        standing = .unknown
        guard let identity, !identity.isNobody else {
            standing = ThreadMirror.current().frame?.origin.contents.revokedWork.map(WorkStanding.revoked) ?? .unknown
            return
        }
        let record = identity.spelling.record
        standing = .captured(CapturedWork(of: record, record.tally.generation, isPartOfCaller: false))
    }

    /// Returns this as it may begin, under nobody if need be, and counts it; the runner ends the work returned with it.
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
        let outer = ThreadMirror.current().frame?.origin.contents.ongoingHere
        let ongoing = OngoingWork(counted: record, generation, inside: outer)
        contents.standing = .ongoing(ongoing)
        return (contents, ongoing)
    }

    /// To which of its identity's lives it belongs; to the first where nothing is known, and so to none after a revocation.
    private var generation: UInt32 {
        switch standing {
        case .unknown, .inside, .revoked: 0
        case .captured(let work): work.generation
        case .shared(let life): life.generation
        case .ongoing(let work): work.generation
        }
    }

    private var isPartOfCaller: Bool { if case .captured(let work) = standing { work.isPartOfCaller } else { false } }

    /// The work that runs in this very task, or on this very thread.
    var ongoingHere: OngoingWork? {
        switch standing {
        case .ongoing(let work), .inside(let work): work.isHere ? work : nil
        case .unknown, .captured, .shared, .revoked: nil
        }
    }

    /// Makes what a waiting caller captured while revocation was off a part of what that caller does.
    fileprivate mutating func joinCaller() {
        guard standing.isUnknown, let identity, !identity.isNobody else { return }
        standing = .captured(CapturedWork(of: identity.spelling.record, generation, isPartOfCaller: true))
    }
}

extension IdentityBoundary {
    /// True if the code that hands work over waits for it, as a part of its own.
    fileprivate var isWaitedFor: Bool { self == .sync || self == .concurrentPerform }
}

extension IdentitySnapshot {
    /// A snapshot of what is bound here that others may keep to look at: it goes on to show whom it shows here.
    var kept: IdentitySnapshot {
        guard BindingFeatures.inUse.contains(.revocation), var contents else { return self }
        contents.beginCapture(at: .snapshot)
        return contents.snapshot
    }

    /// This as it may begin, while revocation is on.
    func begun(_ features: BindingFeatures, at boundary: IdentityBoundary) -> (IdentitySnapshot, OngoingWork?) {
        guard features.contains(.revocation) else { return (self, nil) }
        var captured = contents ?? BindingFrameContents(identity: identity)
        if boundary.isWaitedFor { captured.joinCaller() }
        let (contents, ongoing) = captured.beginWork()
        return (contents.snapshot, ongoing)
    }
}

extension BindingFrameContents {
    /// The identity that a binding of this shows to code here.
    @inline(__always)
    var shownIdentity: Identity? {
        switch standing {
        case .ongoing(let work): work.isRevokedHere ? .nobody : identity
        case .shared(let life): life.revocationHere == nil ? identity : .nobody
        case .unknown, .captured, .inside, .revoked: identity
        }
    }

    /// The work that shows nobody here, with its owner.
    var revokedWork: RevokedWork? {
        switch standing {
        case .unknown, .captured, .inside: nil
        case .revoked(let work): work
        case .shared(let life):
            if let identity, let reason = life.revocationHere { RevokedWork(of: identity, for: reason) } else { nil }
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
    /// The frame that captures of this, where it is bound, share for work that runs once; `nil` where each takes its own.
    @inline(__always)
    var shared: Unmanaged<BindingFrame>? { life != nil ? Unmanaged.passUnretained(self) : captured.frame }

    /// Makes one, for the very work that this is bound for, and keeps it with the scope.
    @inline(never)
    func makeShared() -> Unmanaged<BindingFrame>? {
        guard case .ongoing(let work) = origin.contents.standing, work.isHere else { return nil }
        var contents = wholeContents
        contents.standing = .shared(IdentityLife(of: work.record, work.generation))
        BindingFeatures.insert(.countedBoxes)
        return captured.keep(OriginFrame(contents, depth: depth + 1))
    }

    /// True if the work that this is bound for is what runs here: a task inherits the binding as well.
    var isOfWorkHere: Bool {
        switch origin.contents.standing {
        case .ongoing(let work): work.isHere
        case .shared(let life): life.isHere
        case .unknown, .captured, .inside, .revoked: false
        }
    }
}

extension IdentitySnapshot {
    /// True if this belongs to no identity's work, and remembers none: it may begin at any time.
    var isOfNobodyAlone: Bool {
        switch held {
        case .nothing: true
        case .identity(let identity): identity.isNobody
        case .frame(let frame):
            frame.origin.contents.standing.isUnknown && frame.origin.contents.identity?.isNobody ?? true
        }
    }
}
