import MultiIdentity
import Synchronization

/// Records the identities of work, on any thread.
final class Seen: Sendable {
    struct NotOnce: Error {
        let times: Int
    }

    private let noted = Mutex<[Identity?]>([])

    func note(_ identity: Identity?) { noted.withLock { $0.append(identity) } }

    /// The only record; throws if there is not exactly one.
    var only: Identity? {
        get throws {
            let all = noted.withLock { $0 }
            guard all.count == 1 else { throw NotOnce(times: all.count) }
            return all[0]
        }
    }
}
