import MultiIdentityFiles

/// A system that supports unnamed files, or one that does not.
enum Naming: String, CaseIterable, Codable {
    case unnamedAtFirst, namedFromTheStart

    var lacks: StorageFaults.Lacks { self == .namedFromTheStart ? .unnamedFiles : [] }

    func faults(_ plan: StorageFaults.Plan = .none) -> StorageFaults {
        self == .unnamedAtFirst ? StorageFaults(plan) : StorageFaults(onlyNamedFiles: plan)
    }
}
