/// A child task of a group.
///
/// The parent is asked when the group has ended.
struct TaskGroupChild: Boundary {
    let name = "a task group's child"

    func handOver(_ hop: Hop, _ way: Way) {
        hop.request.enter()
        Task {
            await withDiscardingTaskGroup { group in
                group.addTask { hop.run() }
                group.addTask { hop.check(hop.request.expected, .secondPart, isOnMain: false) }
            }
            hop.check(hop.request.expected, .worker, isOnMain: false)
            hop.request.leave()
        }
    }
}
