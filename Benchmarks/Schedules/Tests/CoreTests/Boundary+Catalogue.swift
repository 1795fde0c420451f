import Dispatch
@_spi(Catalogue) import MultiIdentityDoctor

@testable import MultiIdentity

extension Boundary {
    /// The boundaries of the package's own tests, but for those that wait for the system, which no schedule controls.
    static let all = catalogued.map(Boundary.init) + onlyHere

    private static let catalogued = CataloguedBoundary.all.filter { boundary in
        boundary.cross != nil && ![.channels, .operations, .foundation, .networking].contains(boundary.family)
            && (boundary.family != .sources || isOfProgram(boundary.name))
    }

    /// True for sources that no event of the system sets off.
    private static func isOfProgram(_ name: String) -> Bool {
        ["timer source", "data-", "source.set"].contains { name.hasPrefix($0) }
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
