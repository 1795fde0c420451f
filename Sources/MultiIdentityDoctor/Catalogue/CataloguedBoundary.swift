/// One boundary, as data: how to cross it in plain Swift, and how with this package.
///
/// It is `@_spi`, for other packages of this repository; adopters do not need it.
@_spi(Catalogue) public struct CataloguedBoundary: Sendable, CustomStringConvertible {
    /// The party that carries the identity, if there is one.
    package enum Carrier: Sendable {
        /// This package, by a call with this spelling.
        case package(spelling: String)
        /// There is only plain Swift, which must keep the identity.
        case language
        /// The system lacks the boundary.
        case nothing(missing: String)
    }

    /// The place where work runs.
    public enum Worker: Sendable {
        /// On the thread that hands it over or triggers it, which waits.
        case caller
        /// On the queue of the crossing, after the caller may have gone on.
        case queue
        /// On another thread, after the caller may have gone on.
        case elsewhere
        /// On another thread, while the caller waits.
        case elsewhereAwaited
    }

    /// Further facts about a boundary.
    public struct Traits: OptionSet, Sendable {
        /// The bits.
        public let rawValue: Int

        /// A crossing uses more than threads and queues, so the doctor repeats it less often.
        public static let dear = Traits(rawValue: 1)
        /// Another call for the same boundary, for tests; the doctor does not list it.
        public static let variant = Traits(rawValue: 2)
        /// Prepared work can be triggered repeatedly.
        public static let reusable = Traits(rawValue: 4)
        /// Work can hand over through the same boundary, even though its caller waits.
        public static let reentrant = Traits(rawValue: 16)
        /// One call creates the work and triggers it.
        public static let atOnce = Traits(rawValue: 8)

        /// Creates traits from their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// The unique name.
    public let name: String
    /// The family of the boundary.
    public let family: Family
    /// The moment when the identity is captured.
    public let captured: Moment?
    /// The place where the work runs.
    public let worker: Worker
    package let carrier: Carrier
    /// Further facts about the boundary.
    public let traits: Traits
    /// Crosses the boundary as the crossing requests; `nil` if the system lacks it.
    package let cross: Way?
    /// Crosses the boundary with work that is dropped before it has run, if that is possible.
    package var drop: Way?
    /// The name of the hop cost cases, if there are any; `hop-cost --list` lists them.
    public private(set) var costCase: String?
    /// The reason why only one request at a time can cross it, if there is one.
    public private(set) var reasonToCrossAlone: String?

    /// The name.
    public var description: String { name }
    /// Indicates whether this system has the boundary.
    public var exists: Bool { cross != nil }
    /// Indicates whether the work can be dropped before it has run.
    public var isDroppable: Bool { drop != nil }

    /// The spelling of the call that carries, if it is not the plain one.
    package var spelling: String? { if case .package(let spelling) = carrier { spelling } else { nil } }

    /// Indicates whether this package has its own call for the boundary.
    public var isCarriedByPackage: Bool { spelling != nil }

    /// The reason why the system lacks it.
    package var reasonForLack: String? { if case .nothing(let reason) = carrier { reason } else { nil } }

    /// True if the work has run when the last moment has passed.
    package var isAwaited: Bool { worker == .caller || worker == .elsewhereAwaited }

    /// Indicates whether one call both captures and triggers the work.
    public var isOneCall: Bool {
        traits.contains(.atOnce) || [.dispatched, .called, .added].contains(captured)
    }

    /// A family of boundaries.
    public enum Family: String, Sendable, CaseIterable {
        case queues = "Dispatch queues"
        case items = "Work items and groups"
        case sources = "Dispatch sources"
        case channels = "DispatchIO and DispatchData"
        case operations = "Operation queues"
        case foundation = "Foundation"
        case networking = "URL loading"
        case tasks = "Tasks and actors"
        case closures = "Closures"
    }

    /// Creates a boundary that this package carries, or the language if `spelling` is `nil`.
    package init(
        _ name: String,
        _ family: Family,
        captured: Moment,
        on worker: Worker,
        as spelling: String?,
        _ traits: Traits = [],
        cross: @escaping Way
    ) {
        self.name = name
        self.family = family
        self.captured = captured
        self.worker = worker
        self.traits = traits
        self.cross = cross
        carrier = if let spelling { .package(spelling: spelling) } else { .language }
    }

    /// Creates a boundary that this system lacks.
    init(_ name: String, _ family: Family, missing reason: String) {
        self.name = name
        self.family = family
        captured = nil
        worker = .elsewhere
        traits = []
        cross = nil
        carrier = .nothing(missing: reason)
    }

    /// Returns the same boundary; with this package, it carries what plain Swift passes to these system declarations.
    ///
    /// They are regular expressions for whole names, only for `.ci/check-forgotten-boundaries`, which reads them in the
    /// source.
    func taking(_ declarations: String...) -> CataloguedBoundary { self }

    /// Returns the same boundary, which only one request at a time can cross, for this reason.
    func crossedAlone(because reason: String) -> CataloguedBoundary {
        var copy = self
        copy.reasonToCrossAlone = reason
        return copy
    }

    /// The reason for boundaries that take a pipe.
    static let aPipeEach = "a pipe of its own for each crossing; the same call at random is crossed"

    /// Returns the same boundary, with its cost measured by these cases.
    func costing(_ costCase: String) -> CataloguedBoundary {
        var copy = self
        copy.costCase = costCase
        return copy
    }
}

@_spi(Catalogue) extension CataloguedBoundary {
    /// All boundaries, each followed by its variants, in the order of a diagnosis.
    public static let all =
        queues + items + sources + channels + operations + threads + files + networking + tasks + setOff + observed
        + closures

    /// The boundaries of a diagnosis.
    package static var rows: [CataloguedBoundary] { all.filter { !$0.traits.contains(.variant) } }
}
