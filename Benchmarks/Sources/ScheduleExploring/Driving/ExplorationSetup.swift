import Dispatch
import MultiIdentity

/// The settings that a schedule is run with.
struct ExplorationSetup: Sendable {
    var threads: Int
    var identities: [Identity]
    var boundaries: [ExploredBoundary] = []
    var subject: any ExplorationSubject = LibrarySubject()
    /// The time that a step, or a release, is waited for before it counts as stuck.
    var patience: Duration = .seconds(120)

    var model: RuleModel {
        RuleModel(
            threads: threads,
            boundaries: Dictionary(boundaries.map { ($0.name, $0.traits) }, uniquingKeysWith: { first, _ in first })
        )
    }

    /// Throws if a schedule names something that is not there; not if a step cannot be taken where it stands.
    func check(_ schedule: Schedule) throws(ScheduleError) {
        for (index, step) in schedule.steps.enumerated() {
            switch step.action {
            case .bind(let identity), .setProcess(let identity), .setUI(let identity):
                if case .named(let number) = identity, number > identities.count {
                    throw ScheduleError(
                        .unknownIdentity,
                        "names identity \(identity); the exploration has \(identities.count). Give it more, or edit the step."
                    ).at(step: index + 1, step)
                }
            case .over(let boundary, _) where !boundaries.contains { $0.name == boundary }:
                let known = boundaries.isEmpty ? "none" : boundaries.map(\.name).joined(separator: ", ")
                throw ScheduleError(
                    .unknownBoundary,
                    "names the boundary \"\(boundary)\"; the exploration has: \(known). Give it that one too."
                ).at(step: index + 1, step)
            default: break
            }
        }
    }
}

extension Duration {
    /// The same from now on, for Dispatch.
    var deadline: DispatchTime {
        let (seconds, attoseconds) = components
        let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
        return nanoseconds < Double(Int32.max) * 1e9 ? .now() + .nanoseconds(Int(nanoseconds)) : .distantFuture
    }
}
