public import MultiIdentity

/// The explanation of an effective identity: the value of each level when it was resolved, and what has changed since.
public struct Explanation: Hashable, Sendable {
    /// The role of one level in the answer.
    public struct Entry: Hashable, Sendable {
        /// The role of a level.
        public enum Part: Hashable, Sendable {
            /// It was the first that was set.
            case decided
            /// It was read, and was unset.
            case unset
            /// A level before it had decided.
            case notAsked
            /// The UI level never counts for files.
            case notForFiles
            /// The UI level counts on main only.
            case notOnMain
        }

        /// The level.
        public let level: EffectiveIdentity.Level
        /// The role of the level.
        public let part: Part
        /// Its identity when the answer was found; `nil` if unset or not read.
        public let held: Identity?
        /// Its identity at the time of the explanation; for the thread level, which differs elsewhere, the same as `held`.
        public let holdsNow: Identity?

        /// Indicates whether the level was read, and now has another identity.
        public var hasChanged: Bool {
            switch part {
            case .decided, .unset: held != holdsNow
            case .notAsked, .notForFiles, .notOnMain: false
            }
        }
    }

    /// Indicates whether provenance is recorded, process-wide: where scopes were opened and work was handed over; `false` by default.
    ///
    /// ```swift
    /// Explanation.recordsProvenance = true
    /// print(EffectiveIdentity.current(for: .files).explanation)  // bound where, captured where, by which hops
    /// ```
    ///
    /// If it is off, it costs nothing. If it is on, each scope allocates two small objects, and each hand-over one, except to a
    /// queue. It covers scopes opened and work handed over from then on.
    public static var recordsProvenance: Bool {
        get { BindingFeatures.inUse.contains(.provenance) }
        set { BindingFeatures.set(.provenance, to: newValue) }
    }

    /// The purpose of the work.
    public let purpose: EffectiveIdentity.Purpose
    /// The answer.
    public let identity: Identity?
    /// One entry per level, in the order of resolution: thread, UI, process.
    public let entries: [Entry]
    /// The place where the thread level was bound, if that was recorded (``recordsProvenance``).
    public let site: BindingSite?
    /// The mark of the thread level, if automatic mode inferred and marked it (`IdentityInference`).
    public let inference: IdentityInference?
    /// The identity that the thread level shows, if it was inferred and so did not decide.
    public let withheld: Identity?
    /// The recorded hops of the work since that scope: the first and the latest ones.
    public let hops: [IdentityHop]
    /// The number of all hops.
    public let hopCount: Int

    init(of effective: EffectiveIdentity) {
        let resolution = effective.resolution
        let levels = effective.snapshot.levels
        var hasDecided = false
        func entry(_ level: EffectiveIdentity.Level, now: Identity?, outOfTheWalk: Entry.Part? = nil) -> Entry {
            let decides = resolution.level == level
            defer { if decides { hasDecided = true } }
            let part: Entry.Part =
                if decides { .decided } else if hasDecided { .notAsked } else { outOfTheWalk ?? .unset }
            return Entry(level: level, part: part, held: decides ? resolution.identity : nil, holdsNow: now)
        }
        let uiIsOut: Entry.Part? =
            if effective.purpose == .files { .notForFiles } else if resolution.wasOnMain == false { .notOnMain } else {
                nil
            }
        purpose = effective.purpose
        identity = resolution.identity
        site = effective.snapshot.site.flatMap(BindingSite.init)
        inference = effective.snapshot.inference
        let shown = effective.snapshot.identity
        withheld = inference == nil || resolution.identity == shown ? nil : shown
        hops = effective.snapshot.hops.map(IdentityHop.init)
        hopCount = effective.snapshot.hopCount
        entries = [
            entry(.thread, now: effective.snapshot.decidingIdentity),
            entry(.ui, now: levels.ui, outOfTheWalk: uiIsOut),
            entry(.process, now: levels.process),
        ]
    }
}

extension EffectiveIdentity {
    /// The explanation: the value of each level, which one decided, and what has changed since; computed on access.
    public var explanation: Explanation { Explanation(of: self) }
}

extension Explanation: CustomStringConvertible {
    /// A line for the answer and one line per level, for people.
    public var description: String {
        let work = purpose == .ui ? "UI work" : "file work"
        let answer =
            switch identity {
            case nil: "is no one's: no level is set"
            case .some(let identity) where identity.isNobody: "is nobody's"
            case .some(let identity): "counts as \(identity)"
            }
        let head = "\(work) \(answer)"
        let lines = entries.flatMap { [line(for: $0)] + ($0.level == .thread ? way : []) }
        return ([head] + lines.map { "  " + $0 }).joined(separator: "\n")
    }

    /// One line per hop, below the thread level, which is what crosses boundaries.
    private var way: [String] {
        var lines = hops.map { "         - handed over by \($0)" }
        if hopCount > hops.count, !hops.isEmpty { lines.insert("         - … \(hopCount - hops.count) more", at: 1) }
        return lines
    }

    private func line(for entry: Entry) -> String {
        let name =
            switch entry.level {
            case .thread: "thread  "
            case .ui: "UI      "
            case .process: "process "
            }
        var text =
            switch entry.part {
            case .decided: "\(name) \(held(entry.held)) <- decided"
            case .unset: "\(name) unset"
            case .notAsked: "\(name) not asked"
            case .notForFiles: "\(name) does not count for files"
            case .notOnMain: "\(name) does not count: not on main"
            }
        if entry.level == .thread, entry.part == .decided {
            if let withheld { text += " in place of \(withheld)" }
            if let site { text += ", bound at \(site)" }
            if let inference { text += ", inferred by automatic mode at \(inference)" }
        }
        if entry.part == .decided, let actor = entry.held?.actor { text += ", acted by \(actor)" }
        if entry.part == .decided, let verification = entry.held?.verification {
            text += ", verified by \(verification)"
        }
        if entry.hasChanged { text += " (changed since: now \(held(entry.holdsNow)))" }
        return text
    }

    private func held(_ identity: Identity?) -> String { identity.map { "\($0)" } ?? "unset" }
}
