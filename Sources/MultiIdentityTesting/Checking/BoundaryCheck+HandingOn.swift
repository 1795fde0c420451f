import Dispatch
import MultiIdentity

// Tasks and hand-overs that the work starts, and nested boundaries.
extension BoundaryCheck {
    func handsOnToTasks() async throws {
        for caller in cast.callers {
            for origin in Origin.allCases {
                let situation = Situation(as: caller, from: origin, onWorkerOf: cast.worker)
                let task = try await inWork(situation) {
                    Task {
                        await withTaskGroup(of: Identity?.self) { group in
                            group.addTask { Identity.current }
                            await Task.yield()
                            return [Identity.current] + (await group.reduce(into: []) { $0.append($1) })
                        }
                    }
                }
                let seen = await task.value
                try expect(seen[0], in: situation, "in a task that the work started")
                try expect(seen[1], in: situation, "in a child task of what the work started")
            }
        }
    }

    func handsOnToQueues() async throws {
        for caller in cast.callers {
            for origin in Origin.allCases {
                let situation = Situation(as: caller, from: origin, onWorkerOf: cast.worker)
                let reply = Reply<Identity?>()
                handOver(situation) {
                    IdentityQueue(label: "next").async { reply.send(Identity.current) }
                }
                let place = "in work that the work handed to a queue"
                try expect(try await value(of: reply, in: situation.remarked(place)), in: situation, place)
            }
        }
    }

    func keepsWorkThatRepeats() async throws {
        try requireHandingOverFromWork()
        for caller in cast.callers {
            let situation = Situation(as: caller, onWorkerOf: cast.worker)
            let (seen, all) = (Notes<Identity?>(), Reply<[Identity?]>())
            handOver(situation) { again(5, seen, all) }
            for (index, identity) in try await value(of: all, in: situation).enumerated() {
                try expect(identity, in: situation, "at its run number \(index + 1)")
            }
        }
    }

    private func again(_ left: Int, _ seen: Notes<Identity?>, _ all: Reply<[Identity?]>) {
        seen.add(Identity.current)
        if left > 1 { handOver { again(left - 1, seen, all) } } else { all.send(seen.all) }
    }

    /// Nests three levels, each with another identity; each reads its own before and after it hands over the next.
    func nests() async throws {
        try requireHandingOverFromWork()
        let callers: [Identity?] = [cast.caller, nil, cast.stranger, .nobody]
        for origin in Origin.allCases {
            let situation = Situation(as: callers[0], from: origin, onWorkerOf: cast.worker)
            let replies = callers.map { _ in Reply<[Identity?]>() }
            handOver(situation) { nested(callers, 0, replies) }
            for (depth, reply) in replies.enumerated() {
                let place = "in work number \(depth + 1), handed over by the previous one"
                for identity in try await value(of: reply, in: situation.remarked(place)) {
                    try expect(identity, is: callers[depth], in: situation, place)
                }
            }
        }
    }

    private func nested(_ callers: [Identity?], _ depth: Int, _ replies: [Reply<[Identity?]>]) {
        let before = Identity.current
        if depth + 1 < callers.count {
            withIdentity(callers[depth + 1]) { handOver { nested(callers, depth + 1, replies) } }
        }
        replies[depth].send([before, Identity.current])
    }

    private func requireHandingOverFromWork() throws {
        if boundary.isAwaited && !boundary.isReentrant {
            throw skip("the caller waits, and it is not declared that work may hand over here: `.reentrant()`")
        }
        if boundary.capacity == 1 {
            throw skip("it takes one piece of work at a time, so nested work would deadlock")
        }
    }

    func carriesIntoBlockingWork() async throws {
        if case .asynchronous = boundary.carrier { throw skip("asynchronous work awaits, and does not block") }
        for caller in cast.callers {
            let situation = Situation(as: caller, onWorkerOf: cast.worker)
            let seen = try await inWork(situation) { () -> [Identity?]? in
                if isInTask { return nil }
                let (found, done) = (Notes<Identity?>(), DispatchSemaphore(value: 0))
                Task(executorPreference: ThreadExecutor()) {
                    await Task.yield()
                    found.add(Identity.current)
                    done.signal()
                }
                done.wait()
                return found.all + [Identity.current]
            }
            guard let seen else { throw skip("its work runs in a task, which must not block") }
            try expect(seen[0], in: situation, "in what the work blocks on")
            try expect(seen[seen.count - 1], in: situation, "after the work has blocked")
        }
    }

    func agreesWithTasks() async throws {
        for caller in cast.callers {
            for origin in Origin.allCases {
                let situation = Situation(as: caller, from: origin, onWorkerOf: cast.worker)
                let look = try await inWork(situation) { Look() }
                try expect(await look.task.value, is: look.identity, in: situation, "in a task of the work's thread")
            }
        }
    }
}
