/// Counts orders without running any.
///
/// A body hands over submitters, and each of them hands over empty work items, on one concurrent queue. After each hand-over another
/// one can run.
struct OrderModel {
    private enum Step: Hashable, Comparable {
        /// A hand-over, or the end after all of them; a submitter's first one is also its beginning.
        case body(Int), submitter(Int, Int), workItem(Int, Int)

        /// Returns whether the order of two steps makes a difference.
        func depends(on other: Step) -> Bool {
            switch (self, other) {
            case (.body, .body): true
            case (.body(let number), .submitter(let submitter, let count)): count == 0 && number == submitter
            case (.submitter(let one, 0), .submitter(let two, let count)): one == two || count == 0
            case (.submitter(let one, _), .submitter(let two, _)): one == two
            // A submitter occupies a worker, and a work item needs one.
            case (.submitter(let one, let count), .workItem(let two, let number)):
                count == 0 || (one, count) == (two, number)
            case (.workItem, .workItem), (.body, .workItem), (.workItem, .body): false
            default: other.depends(on: self)
            }
        }
    }

    private struct State {
        var body = 0
        /// The completed hand-overs of each submitter, and its end; `nil` before it is handed over.
        var submitters: [Int?]
        var workItems: Set<Step> = []
    }

    let submitters: Int
    let handOvers: Int
    let workers: Int

    /// The number of Foata normal forms of all schedules: sets of steps that each depend on one of the set before.
    func normalForms() -> Int {
        var forms: Set<[Int: [Step]]> = []
        func go(_ state: State, _ taken: [(step: Step, level: Int)]) {
            let next = steps(from: state)
            if next.isEmpty {
                forms.insert(Dictionary(grouping: taken, by: \.level).mapValues { $0.map(\.step).sorted() })
            }
            for (step, after) in next {
                let level =
                    taken.filter { $0.step == step || step.depends(on: $0.step) || $0.step.depends(on: step) }
                    .map(\.level).max() ?? 0
                go(after, taken + [(step, level + 1)])
            }
        }
        go(State(submitters: Array(repeating: nil, count: submitters)), [])
        return forms.count
    }

    private func steps(from state: State) -> [(Step, State)] {
        var next: [(Step, State)] = []
        func add(_ step: Step, _ change: (inout State) -> Void) {
            var state = state
            change(&state)
            next.append((step, state))
        }
        var inProgress = 0
        if state.body <= submitters {
            inProgress += 1
            add(.body(state.body)) { state in
                if state.body < submitters { state.submitters[state.body] = 0 }
                state.body += 1
            }
        }
        inProgress += state.submitters.count { $0.map { (1...handOvers).contains($0) } ?? false }
        for (number, done) in state.submitters.enumerated() {
            guard let done else { continue }
            if done <= handOvers, done > 0 || inProgress < workers {
                add(.submitter(number, done)) { $0.submitters[number] = done + 1 }
            }
            guard inProgress < workers else { continue }
            for workItem in 0..<min(done, handOvers) where !state.workItems.contains(.workItem(number, workItem)) {
                add(.workItem(number, workItem)) { $0.workItems.insert(.workItem(number, workItem)) }
            }
        }
        return next
    }
}
