/// The reason why a run ended.
enum RunEnd: Sendable, Hashable {
    case hops
    case requests
    case seconds
    case endOfLog
    /// A signal asked for it.
    case interrupted(String)
    /// Work that was handed over did not run for a long time.
    case stalled
    /// The access log could not be read on.
    case failed(String)
}

extension RunEnd: CustomStringConvertible {
    var description: String {
        switch self {
        case .requests: "requests"
        case .hops: "hops"
        case .seconds: "seconds"
        case .endOfLog: "end of log"
        case .interrupted(let signal): signal
        case .stalled: "stalled"
        case .failed(let reason): "failed: \(reason)"
        }
    }
}
