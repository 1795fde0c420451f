/// A boundary of the adopter's, as the explorer drives it.
struct ExploredBoundary: Sendable {
    typealias Work = @Sendable () -> Void

    enum Prepare: Sendable {
        case synchronous(@Sendable (@escaping Work) -> Work)
        case asynchronous(@Sendable (@escaping @Sendable () async -> Void) -> Work)
    }

    /// One word, as schedules name it.
    let name: String
    let traits: BoundaryTraits
    let prepare: Prepare
    let drain: Work?
}
