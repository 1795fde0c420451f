import MultiIdentity

extension ScheduledStep {
    /// As a person reads it: `t1 binds ada@contoso.com`.
    func prose(_ identities: [Identity]) -> String {
        "\(worker) \(action.prose { $0.prose(identities) })"
    }
}

extension ScheduledStep.Action {
    fileprivate func prose(_ name: (HeldIdentity) -> String) -> String {
        switch self {
        case .bind(let identity): "binds \(name(identity))"
        case .ownLevels: "takes levels of its own"
        case .setProcess(let identity): "sets the process level to \(name(identity))"
        case .setUI(let identity): "sets the UI level to \(name(identity))"
        case .leave(.returned): "returns from where it is"
        case .leave(.thrown): "leaves by a throw"
        case .leave(.cancelled): "leaves by cancellation"
        case .capture(let work): "takes a snapshot and wraps w\(work) in it"
        case .call(let work): "calls the wrapped w\(work)"
        case .async(let queue, let work): "hands w\(work) to q\(queue) by async"
        case .barrier(let queue, let work): "hands w\(work) to q\(queue) by async as a barrier"
        case .grouped(let queue, let work): "hands w\(work) to q\(queue) by async, counted for the group"
        case .sync(let queue, let work): "hands w\(work) to q\(queue) by sync, and waits"
        case .run: "runs its next work"
        case .makeItem(let work): "creates the work item w\(work)"
        case .dispatch(let work, let queue): "hands the item w\(work) to q\(queue)"
        case .perform(let work): "performs the item w\(work)"
        case .observe(let item, let queue, let work):
            "registers w\(work) on q\(queue) for when the item w\(item) has run"
        case .enterGroup: "enters the group"
        case .leaveGroup: "leaves the group"
        case .notify(let queue, let work): "registers w\(work) on q\(queue) for when the group is empty"
        case .task(let work): "starts w\(work) by Task {}"
        case .detached(let work): "starts w\(work) by Task.propagatingIdentity.detached {}"
        case .bareDetached(let work): "starts w\(work) by Task.detached {}"
        case .suspend: "suspends"
        case .resume(let work): "resumes w\(work)"
        case .cancel(let work): "cancels w\(work)"
        case .drop(let work): "lets go of w\(work)"
        case .over(let boundary, let work): "hands w\(work) over \(boundary)"
        case .fire(let work): "lets w\(work) run, which was prepared"
        }
    }
}
