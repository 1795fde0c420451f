import Dispatch
import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor

/// What a crossing shares in its lane with the crossings of all other requests.
enum Ground: Sendable {
    case serial, concurrent, exclusive, batched, given
    /// An operation queue that runs one operation at a time, one that runs several, and a plain one made elsewhere.
    case operations, wideOperations, givenOperations
    case files

    /// Returns the queue that runs the work, and what else is shared.
    func on(_ lane: Lane, _ way: Way, _ variant: UInt8) -> (queue: DispatchQueue, shared: SharedGround) {
        var shared = SharedGround()
        (shared.group, shared.center) = (lane.group, lane.center)
        switch self {
        case .serial: shared.queue = lane.serial
        case .concurrent: shared.queue = lane.concurrent
        case .exclusive: shared.queue = lane.exclusive
        case .batched: shared.queue = variant & 2 == 0 ? lane.batched : lane.otherBatched
        case .given: break
        case .operations, .givenOperations:
            let (operations, base) = lane.operations(self == .operations ? way : .raw)
            shared.operations = operations
            return (base, shared)
        case .wideOperations:
            shared.operations = way == .carried ? lane.wideOperations : lane.rawWideOperations
            return (.global(), shared)
        case .files:
            shared.channel = lane.files.channel
            shared.readable = (lane.files.readable, lane.files)
        }
        return (shared.queue?.base ?? lane.given, shared)
    }
}
