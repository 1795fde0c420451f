/// The kinds of steps that a random schedule is made of.
struct StepFamilies: OptionSet, Sendable {
    let rawValue: Int

    static let scopes = StepFamilies(rawValue: 1 << 0)
    static let levels = StepFamilies(rawValue: 1 << 1)
    static let snapshots = StepFamilies(rawValue: 1 << 2)
    static let queues = StepFamilies(rawValue: 1 << 3)
    static let items = StepFamilies(rawValue: 1 << 4)
    static let groups = StepFamilies(rawValue: 1 << 5)
    static let tasks = StepFamilies(rawValue: 1 << 6)
    static let boundaries = StepFamilies(rawValue: 1 << 7)

    static let everything: StepFamilies = [
        .scopes, .levels, .snapshots, .queues, .items, .groups, .tasks, .boundaries,
    ]
}
