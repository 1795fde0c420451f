/// A boundary that takes part in schedules, beside those that every exploration has.
package struct ExploredBoundary: Sendable {
    package typealias Work = @Sendable () -> Void

    enum Prepare: Sendable {
        case synchronous(@Sendable (@escaping Work) -> Work)
        case asynchronous(@Sendable (@escaping @Sendable () async -> Void) -> Work)
    }

    /// One word, as schedules name it.
    let name: String
    let traits: BoundaryTraits
    let prepare: Prepare
    let drain: Work?

    init(_ name: String, _ traits: BoundaryTraits, _ prepare: Prepare, drain: Work? = nil) {
        self.name = name
        self.traits = traits
        self.prepare = prepare
        self.drain = drain
    }

    /// A boundary that captures in the call that hands the work over, and that nobody waits for.
    package init(_ name: String, handOver: @escaping @Sendable (@escaping Work) -> Void) {
        self.init(name, BoundaryTraits(), .synchronous { work in { handOver(work) } })
    }
}
