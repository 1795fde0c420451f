/// One boundary, as data: how it is crossed in plain Swift, and how with this package.
package struct ExaminedBoundary: Sendable, CustomStringConvertible {
    /// Who carries the identity, where anybody does.
    package enum Carrier: Sendable {
        case package(String, Way)
        /// The plain way is all there is, and has to keep.
        case language
        /// The system lacks the boundary.
        case nothing(missing: String)

        var spelling: String? { if case .package(let spelling, _) = self { spelling } else { nil } }

        var reasonForLack: String? { if case .nothing(let reason) = self { reason } else { nil } }
    }

    package let name: String
    package let family: Family
    /// The moment at which identity is taken.
    package let captured: Moment?
    package let plain: Way?
    package let carrier: Carrier
    /// The way with this package, where it is another one than the plain one.
    package var carried: Way? { if case .package(_, let way) = carrier { way } else { nil } }

    /// Whether a crossing takes more than threads and queues: it is crossed less often.
    package var isDear = false
    /// Whether the work has run when the last moment has passed.
    package var isAwaited = false

    package var description: String { name }

    /// What boundaries belong to.
    package enum Family: String, Sendable, CaseIterable {
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

    /// A boundary that this package carries.
    init(
        _ name: String,
        _ family: Family,
        captured: Moment,
        as spelling: String,
        plain: @escaping Way,
        carried: @escaping Way
    ) {
        self.name = name
        self.family = family
        self.captured = captured
        self.plain = plain
        carrier = .package(spelling, carried)
    }

    /// A boundary that the language carries.
    init(_ name: String, _ family: Family, captured: Moment, plain: @escaping Way) {
        self.name = name
        self.family = family
        self.captured = captured
        self.plain = plain
        carrier = .language
    }

    /// A boundary that this system lacks.
    init(_ name: String, _ family: Family, missing reason: String) {
        self.name = name
        self.family = family
        captured = nil
        plain = nil
        carrier = .nothing(missing: reason)
    }

    /// The same boundary, crossed less often.
    var dear: ExaminedBoundary {
        var boundary = self
        boundary.isDear = true
        return boundary
    }

    /// The same boundary, whose work has run when the last moment has passed.
    var awaited: ExaminedBoundary {
        var boundary = self
        boundary.isAwaited = true
        return boundary
    }

    /// All boundaries, in the order of a diagnosis.
    package static let all =
        queues + items + sources + channels + operations + threads + files + networking + tasks + handlers + closures
}
