import Foundation
import Synchronization

/// Three operations in a queue that all requests share, each waiting for the one before.
///
/// An operation becomes ready on the thread that finished the one before it: the user of the work there says nothing
/// about the user of the next one.
struct Pipeline: Sendable {
    let keeping: IdentityKeeping
    private let operations = OperationQueue()

    init(keeping: IdentityKeeping) { self.keeping = keeping }

    /// - Parameter errand: What it is run for.
    /// - Returns: The user that each operation saw.
    func run(_ errand: Errand) async -> [Sighting] {
        let seen = SightingList()
        await withCheckedContinuation { continuation in
            let fetch = keeping.operation { seen.add(errand.sighting(at: "first operation")) }
            let transform = keeping.operation { seen.add(errand.sighting(at: "second operation")) }
            let store = keeping.operation {
                seen.add(errand.sighting(at: "last operation"))
                continuation.resume()
            }
            transform.addDependency(fetch)
            store.addDependency(transform)
            operations.addOperations([store, transform, fetch], waitUntilFinished: false)
        }
        return seen.all
    }
}

/// Sightings of several threads, in the order in which they said so.
private final class SightingList: Sendable {
    private let list = Mutex<[Sighting]>([])

    func add(_ sighting: Sighting) { list.withLock { $0.append(sighting) } }

    var all: [Sighting] { list.withLock { $0 } }
}
