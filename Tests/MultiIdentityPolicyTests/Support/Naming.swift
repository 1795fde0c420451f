import MultiIdentityFiles

/// A system with files that have no name yet, and one without.
enum Naming: String, CaseIterable, Codable {
    case unnamedAtFirst, namedFromTheStart

    var lacks: StorageFaults.Lacks { self == .namedFromTheStart ? .unnamedFiles : [] }

    func faults(_ plan: StorageFaults.Plan = .none) -> StorageFaults {
        self == .unnamedAtFirst ? StorageFaults(plan) : StorageFaults(onlyNamedFiles: plan)
    }
}
