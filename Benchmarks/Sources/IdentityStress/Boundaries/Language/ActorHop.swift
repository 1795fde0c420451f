/// A call of an actor's method from a task.
///
/// The task is asked when the call has returned.
struct ActorHop: Boundary {
    let name = "a call on an actor"

    private static let visited = Visited()

    func handOver(_ hop: Hop, _ way: Way) {
        hop.request.enter()
        Task {
            await Self.visited.visit(hop)
            hop.check(hop.request.expected, .worker, isOnMain: false)
            hop.request.leave()
        }
    }

    /// Never waits for anything but queues of later lanes: their work never waits for an actor.
    private actor Visited {
        func visit(_ hop: Hop) { hop.run() }
    }
}
