import MultiIdentity

/// The content of the page at one moment.
struct LiveView: Encodable {
    let running: [Work]
    let boundaries: [Boundary]

    struct Work: Encodable {
        let user: String
        let boundary: String
        let place: String
        let site: String
        let hops: Int
        let thread: UInt64
        let began: Int64
        let milliseconds: Int64
    }

    struct Boundary: Encodable {
        let name: String
        let captured: UInt64
        let elided: UInt64
        let same: UInt64
        let swapped: UInt64
    }

    /// As many pieces of work as a page can show: the longest first.
    static func now(limit: Int = 200) -> LiveView {
        let now = ContinuousClock.now
        return LiveView(
            running: RunningWork.all.prefix(limit).map { Work($0, now: now) },
            boundaries: CarryCounters.read().sorted { $0.key.name < $1.key.name }.map { boundary, counts in
                Boundary(
                    name: boundary.name,
                    captured: UInt64(counts.captured),
                    elided: UInt64(counts.elided),
                    same: UInt64(counts.same),
                    swapped: UInt64(counts.swapped)
                )
            }
        )
    }
}

extension LiveView.Work {
    private static let start = ContinuousClock.now

    init(_ work: RunningWork, now: ContinuousClock.Instant) {
        user = work.identity.map(\.description) ?? "unset"
        boundary = work.boundary.map(\.description) ?? "scope"
        place = work.place ?? (work.isInTask ? "task" : "thread")
        site = work.site?.description ?? "–"
        hops = work.hops
        thread = work.thread
        began = (work.began - Self.start).milliseconds
        milliseconds = (now - work.began).milliseconds
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
