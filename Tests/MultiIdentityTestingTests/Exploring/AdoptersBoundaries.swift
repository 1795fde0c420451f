import Dispatch
import Foundation
import MultiIdentity

@testable import MultiIdentityTesting

/// Boundaries as an adopter may have them, sound and broken.
enum AdoptersBoundaries: Sendable {
    /// One of each shape.
    static var sound: [BoundaryConformance] { boundaries { IdentitySnapshot.capture().wrap($0) } }

    /// The same, with nothing carried; without the one that needs to carry nothing, since it runs work where it is called.
    static var raw: [BoundaryConformance] { boundaries { $0 }.filter { $0.name != "my call" } }

    private static func boundaries(
        _ carry: @escaping @Sendable (@escaping BoundaryConformance.Work) -> BoundaryConformance.Work
    ) -> [BoundaryConformance] {
        // A worker each: what one of them runs does not keep another waiting.
        let pool = DispatchQueue(label: "adopter.pool")
        let timers = DispatchQueue(label: "adopter.timers")
        let events = DispatchQueue(label: "adopter.events")
        let batch = Batch()
        return [
            BoundaryConformance("my pool") { work in
                let work = carry(work)
                pool.async(execute: work)
            },
            BoundaryConformance("my call") { work in carry(work)() }.running(on: .callingThread),
            BoundaryConformance("my thread, awaited") { work in
                let work = carry(work)
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    work()
                    done.signal()
                }
                done.wait()
            }.awaited(),
            BoundaryConformance("my timer", capturedWhen: .registered) { work in
                let work = carry(work)
                return { timers.async(execute: work) }
            }.reusable(),
            BoundaryConformance("my event", capturedWhen: .created) { work in
                let work = carry(work)
                return { events.async(execute: work) }
            },
            BoundaryConformance("my batch") { work in batch.add(carry(work)) }.running(on: .drained { batch.flush() }),
            .asynchronous("my service") { work in
                let snapshot = IdentitySnapshot.capture()
                let isCarried = carries(carry)
                Task.detached { if isCarried { await snapshot.restore { await work() } } else { await work() } }
            },
        ]
    }

    /// Whether `carry` carries.
    private static func carries(_ carry: (@escaping BoundaryConformance.Work) -> BoundaryConformance.Work) -> Bool {
        let found = Notes<Identity?>()
        let work = withIdentity(.nobody) { carry { found.add(.current) } }
        withIdentity(nil) { work() }
        return found.all == [.nobody]
    }

    /// Work that runs when somebody flushes it.
    private final class Batch: Sendable {
        private let work = Locked<[BoundaryConformance.Work]>([])

        func add(_ work: @escaping BoundaryConformance.Work) { self.work.withLock { $0.append(work) } }

        func flush() {
            let work = self.work.withLock { work in
                defer { work = [] }
                return work
            }
            for run in work { run() }
        }
    }
}
