import Dispatch
@_spi(Catalogue) import MultiIdentityDoctor

@testable import MultiIdentity

extension Boundary {
    /// The catalogue's boundaries, as this package's core or the language carries them, and ways that only tests go.
    static let all = catalogued.map(Boundary.init) + onlyHere

    private static let catalogued = CataloguedBoundary.all.filter { boundary in
        boundary.cross != nil && ![.operations, .foundation, .networking].contains(boundary.family)
            && (!isUnderSchedules || isControlled(boundary))
    }

    /// True unless the boundary waits for the system, which no schedule controls.
    private static func isControlled(_ boundary: CataloguedBoundary) -> Bool {
        switch boundary.family {
        case .channels: false
        case .sources: ["timer source", "data-", "source.set"].contains { boundary.name.hasPrefix($0) }
        default: true
        }
    }

    private static let onlyHere: [Boundary] = [
        // As where libdispatch lacks what handles are made of.
        Boundary("queue.async, without a handle", on: .queue) {
            IdentityQueue(wrapping: $0, handle: nil).async(execute: $1)
        },
        Boundary("queue.async, as a barrier, without a handle", on: .queue) {
            IdentityQueue(wrapping: $0, handle: nil).async(flags: .barrier, execute: $1)
        },
        Boundary("queue.sync, without a handle", on: .caller) {
            IdentityQueue(wrapping: $0, handle: nil).sync(execute: $1)
        },
        Boundary("queue.async, on the view of a view", on: .queue) {
            $0.propagatingIdentity.base.propagatingIdentity.async(execute: $1)
        },
    ]

    static let queues = of(.queues)
    static let mainQueue = queues.filter { $0.name.contains("main") && !$0.name.contains("batches") }
    /// Tasks, and what runs when somebody asks, ends or changes something.
    static let tasks = of(.tasks)
    static let callbacks = of(.closures).filter { $0.name == "a C callback" }

    private static func of(_ family: CataloguedBoundary.Family) -> [Boundary] {
        catalogued.filter { $0.family == family }.map(Boundary.init)
    }
}
