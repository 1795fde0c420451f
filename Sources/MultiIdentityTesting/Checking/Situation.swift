import MultiIdentity

/// How one piece of work is handed over, and what its worker has bound.
struct Situation: Sendable {
    /// The identity that prepares: creates or registers.
    var creator: Identity?
    /// The identity that hands over, or fires.
    var hander: Identity?
    /// The identity that the worker runs as, if a check can set it: the one that drains.
    var worker: Identity?
    var origin: Origin
    var levels: IdentityLevels?
    /// Replaces all of this when there are many callers.
    private var summary: String?
    private var remarks: [String] = []

    /// A situation in which one caller does everything.
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
        copy.remarks.append(remark)
        return copy
    }

    /// Returns a situation with many callers, in words.
    static func of(_ summary: String) -> Situation {
        var situation = Situation(as: nil)
        situation.summary = summary
        return situation
    }

    /// The identity that the work is for.
    func expected(from boundary: BoundaryConformance) -> Identity? {
        boundary.capturePoint == .handedOver ? hander : creator
    }

    /// Describes the situation in words.
    func description(for boundary: BoundaryConformance) -> String {
        ([summary ?? handedOver(to: boundary)] + remarks).joined(separator: ", ")
    }

    private func handedOver(to boundary: BoundaryConformance) -> String {
        var words =
            switch boundary.capturePoint {
            case .handedOver: "handed over \(Self.shown(hander)) from \(origin)"
            case .created: "created \(Self.shown(creator)) and handed over \(Self.shown(hander)) from \(origin)"
            case .registered: "registered \(Self.shown(creator)) and fired \(Self.shown(hander)) from \(origin)"
            }
        if boundary.capturePoint == .handedOver, creator != hander {
            words = "prepared \(Self.shown(creator)) and \(words)"
        }
        if boundary.drain != nil { words += ", run on a worker \(Self.shown(worker))" }
        return levels == nil ? words : words + ", under custom levels"
    }

    private static func shown(_ identity: Identity?) -> String {
        if let identity { "as \(identity)" } else { "with nothing bound" }
    }
}

extension BoundaryConformance {
    var drain: (@Sendable () -> Void)? {
        if case .drained(let drain) = worker.place { drain } else { nil }
    }
}
