import MultiIdentity

/// How one piece of work is handed over, and what its worker has bound.
struct Situation: Sendable {
    /// Who prepares: creates or registers.
    var creator: Identity?
    /// Who hands over, or fires.
    var hander: Identity?
    /// Who the worker runs as, where a check can say so: who drains.
    var worker: Identity?
    var origin: Origin
    var levels: IdentityLevels?
    var remark = ""

    /// One who does all.
    init(as caller: Identity?, from origin: Origin = .thread, onWorkerOf worker: Identity? = nil) {
        self.init(createdAs: caller, handedOverAs: caller, from: origin, onWorkerOf: worker)
    }

    init(
        createdAs creator: Identity?,
        handedOverAs hander: Identity?,
        from origin: Origin = .thread,
        onWorkerOf worker: Identity? = nil
    ) {
        self.creator = creator
        self.hander = hander
        self.worker = worker
        self.origin = origin
    }

    func under(_ levels: IdentityLevels) -> Situation {
        var copy = self
        copy.levels = levels
        return copy
    }

    func remarked(_ remark: String) -> Situation {
        var copy = self
        copy.remark = remark
        return copy
    }

    /// Whom the work is for.
    func expected(from boundary: ConformingBoundary) -> Identity? {
        boundary.capturePoint == .handedOver ? hander : creator
    }

    /// In words.
    func description(for boundary: ConformingBoundary) -> String {
        var words =
            switch boundary.capturePoint {
            case .handedOver: "handed over as \(shown(hander)) from \(origin)"
            case .created: "created as \(shown(creator)) and handed over as \(shown(hander)) from \(origin)"
            case .registered: "registered as \(shown(creator)) and fired as \(shown(hander)) from \(origin)"
            }
        if boundary.capturePoint == .handedOver, creator != hander {
            words = "prepared as \(shown(creator)) and \(words)"
        }
        if boundary.drain != nil { words += ", run by a worker with \(shown(worker)) bound" }
        if levels != nil { words += ", under levels of its own" }
        return remark.isEmpty ? words : words + ", " + remark
    }

    private func shown(_ identity: Identity?) -> String { "\(BoundaryViolation.Finding.identity(identity))" }
}

extension ConformingBoundary {
    var drain: (@Sendable () -> Void)? {
        if case .drained(let drain) = worker.place { drain } else { nil }
    }

    var runsOnCallingThread: Bool {
        if case .callingThread = worker.place { true } else { false }
    }
}
