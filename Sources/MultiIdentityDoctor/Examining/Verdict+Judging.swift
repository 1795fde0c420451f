import MultiIdentity

extension Diagnosis.Verdict {
    /// Judges crossings that have all been answered.
    init(on trials: [Trial]) {
        self.init(alike: trials)
        guard outcome == .mixed, detail == Self.unsteady else { return }
        let inTasks = Self(alike: trials.filter { $0.origin == .task })
        let elsewhere = Self(alike: trials.filter { $0.origin != .task })
        guard inTasks.detail != Self.unsteady, elsewhere.detail != Self.unsteady else { return }
        self.init(.mixed, "outside tasks, \(elsewhere.words); in tasks, \(inTasks.words)")
    }

    private static let unsteady = "differs from run to run"

    private var words: String { detail ?? outcome.rawValue }

    /// Judges crossings that are expected to be alike.
    private init(alike trials: [Trial]) {
        let isKept = trials.allSatisfy { trial in trial.notes.allSatisfy { $0.identity == trial.plan.expected } }
        let isLost = trials.allSatisfy { trial in trial.notes.allSatisfy { $0.identity == nil } }
        if isKept {
            self.init(.kept)
        } else if isLost {
            self.init(.lost)
        } else if let other = Self.otherMoment(of: trials) {
            self.init(.mixed, "as \(other.actor)")
        } else if Self.isKeptOnCallersThread(trials) {
            self.init(.mixed, "kept on the calling thread, lost on those that help")
        } else {
            self.init(.mixed, Self.unsteady)
        }
    }

    /// Finds the one moment, other than that of the capture, with the actor that all work counts as.
    private static func otherMoment(of trials: [Trial]) -> Moment? {
        Moment.allCases.first { moment in
            trials.allSatisfy { trial in trial.notes.allSatisfy { $0.identity == trial.plan.identity(at: moment) } }
        }
    }

    private static func isKeptOnCallersThread(_ trials: [Trial]) -> Bool {
        trials.allSatisfy { trial in
            trial.notes.allSatisfy { $0.identity == ($0.isOnCallersThread ? trial.plan.expected : nil) }
        }
    }
}
