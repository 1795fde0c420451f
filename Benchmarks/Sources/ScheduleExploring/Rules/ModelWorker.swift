/// A worker, with what it has open.
struct ModelWorker: Sendable {
    /// A scope that is open, or work that runs, and what is bound in it.
    struct Frame: Sendable {
        enum Kind: Sendable, Hashable {
            /// A thread of its own: nothing to leave.
            case bottom
            case scope
            /// Work that was called or performed within what the worker did before.
            case inline(work: Int)
            /// Work that began this worker.
            case root(work: Int)
        }

        var level: ModelThreadLevel
        var kind: Kind
        var isAsync: Bool
        /// True if it can be left by a throw.
        var canThrow: Bool
    }

    enum Pace: Sendable, Hashable {
        case atRest
        /// Until the work that it handed over has ended.
        case waiting
        case suspended
    }

    var frames: [Frame]
    var pace = Pace.atRest
    var isTask = false
    var isCancelled = false

    /// The innermost frame; a worker has one as long as it exists.
    var top: Frame { frames[frames.count - 1] }

    /// So that a random schedule comes back out of what it goes into.
    static let mostFrames = 6
}
