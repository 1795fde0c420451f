/// A call of a main actor's function from a task: on main, so the UI level counts.
///
/// The task is asked when it is back.
struct MainActorHop: Boundary {
    let name = "a call on the main actor"

    func handOver(_ hop: Hop, _ way: Way) {
        hop.request.enter()
        Task {
            await Self.visit(hop)
            hop.check(hop.request.expected, .worker, isOnMain: false)
            hop.request.leave()
        }
    }

    @MainActor
    private static func visit(_ hop: Hop) { hop.run(isOnMain: true) }
}
