/// `Task {}`, which inherits task-local values.
///
/// The workers are asked as after a detached task.
struct PlainTask: Boundary {
    let name = "Task { }"

    func handOver(_ hop: Hop, _ way: Way) {
        Task {
            if hop.step.variant & 2 == 0 { await Task.yield() }
            hop.run { hop.askTaskWorker() }
        }
    }
}
