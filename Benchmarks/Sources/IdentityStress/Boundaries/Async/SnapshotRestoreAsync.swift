import MultiIdentity

/// `IdentitySnapshot.restore` around asynchronous work, in a detached task that runs as a stranger.
///
/// The stranger is asked after the call.
struct SnapshotRestoreAsync: CarriedBoundary {
    let name = "a restore around asynchronous work"

    func handOver(_ hop: Hop, _ way: Way) {
        let snapshot = IdentitySnapshot.capture()
        hop.request.enter()
        Task.detached {
            await withIdentity(hop.stranger) {
                switch way {
                case .carried: await snapshot.restore { await work(hop) }
                case .raw: await work(hop)
                }
                hop.checkStrangersWorker()
            }
            hop.request.leave()
        }
    }

    private func work(_ hop: Hop) async {
        if hop.step.variant & 2 == 0 { await Task.yield() }
        hop.run()
    }

    func run(_ block: HopBlock, _ way: Way) {
        let work = block.work
        switch way {
        case .carried:
            block.each {
                let snapshot = IdentitySnapshot.capture()
                Task.detached { await snapshot.restore { () async in work() } }
            }
        case .raw: block.each { Task.detached { work() } }
        }
    }
}
