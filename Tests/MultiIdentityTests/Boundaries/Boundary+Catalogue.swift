import Dispatch
@_spi(Catalogue) import MultiIdentityDoctor

@testable import MultiIdentity

extension Boundary {
    /// The catalogue's boundaries that this package's core or the language implements, and some for tests only.
    static let all = catalogued.map(Boundary.init) + onlyHere

    private static let catalogued = CataloguedBoundary.all.filter { boundary in
        boundary.cross != nil && ![.operations, .foundation, .networking].contains(boundary.family)
            && (!isUnderSchedules || isControlled(boundary))
    }

    /// True unless the boundary waits for the system, which schedules do not control.
    private static func isControlled(_ boundary: CataloguedBoundary) -> Bool {
        switch boundary.family {
        case .channels: false
        case .sources: ["timer source", "data-", "source.set"].contains { boundary.name.hasPrefix($0) }
        default: true
        }
    }

    private static let onlyHere: [Boundary] = [
        // As on a system whose libdispatch has no usable handles.
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
    /// Tasks, and work that other code triggers by a request, an end or a change.
    static let tasks = of(.tasks)
    static let callbacks = of(.closures).filter { $0.name == "a C callback" }

    private static func of(_ family: CataloguedBoundary.Family) -> [Boundary] {
        catalogued.filter { $0.family == family }.map(Boundary.init)
    }
}
