import MultiIdentity
import MultiIdentityFiles

/// Records what a storage reports to a wipe.
final class Witness: Sendable {
    private let heard = Locked<[WipeVisit.Event]>([])

    var visit: WipeVisit { WipeVisit { event in self.heard.withLock { $0.append(event) } } }

    private func collect<Value>(_ pick: (WipeVisit.Event) -> Value?) -> [Value] {
        heard.withLock { $0 }.compactMap(pick)
    }

    var found: [String] { collect { if case .found(let path, _) = $0 { path } else { nil } }.sorted() }
    var removed: [String] { collect { if case .removed(let path, _) = $0 { path } else { nil } }.sorted() }
    var failed: [String] { collect { if case .failed(let failure) = $0 { failure.subject } else { nil } }.sorted() }
    var passedCount: Int { collect { if case .passed = $0 { true } else { nil } }.count }
    var bytes: UInt64 {
        collect {
            switch $0 {
            case .found(_, let bytes), .removed(_, let bytes): bytes
            default: nil
            }
        }.reduce(0, +)
    }
}
