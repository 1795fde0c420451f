/// The reason why a run ended.
enum RunEnd: Sendable, Hashable {
    case hops
    case requests
    case seconds
    /// A signal requested the end.
    case interrupted(String)
    /// Work that was handed over did not run for a long time.
    case stalled
}

extension RunEnd: CustomStringConvertible {
    var description: String {
        switch self {
        case .requests: "requests"
        case .hops: "hops"
        case .seconds: "seconds"
        case .interrupted(let signal): signal
        case .stalled: "stalled"
        }
    }
}
