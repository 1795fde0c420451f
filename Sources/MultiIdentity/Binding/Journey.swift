import Dispatch

/// The hops that work took from the scope that bound its identity to here.
///
/// It counts all hops and stores the first and the latest: work that hands itself over for ever must not grow. The last
/// one is stored inline, so that a hand-over out of a scope allocates nothing for it.
struct Journey: Sendable {
    /// The hops before the last one, oldest first.
    private final class Earlier: Sendable {
        let hops: [KeptHop]
        init(_ hops: [KeptHop]) { self.hops = hops }
    }

    /// The number of hops stored besides the first and the last.
    private static let latest = 14

    let count: Int
    let began: CaptureTime
    private let last: KeptHop?
    private let earlier: Earlier?

    /// The first hop out of a scope.
    init(since began: CaptureTime?, by hop: consuming KeptHop) {
        count = 1
        self.began = began ?? hop.time
        earlier = nil
        last = hop
    }

    /// Appends one hop to a journey; the hop itself is stored only if a feature needs it.
    init(continuing journey: Journey?, since began: CaptureTime?, by hop: KeptHop?) {
        count = (journey?.count ?? 0) + 1
        self.began = journey?.began ?? began ?? hop?.time ?? .now
        guard let hop, let before = journey?.last else {
            (last, earlier) = (hop ?? journey?.last, journey?.earlier)
            return
        }
        var hops = journey?.earlier?.hops ?? []
        if hops.count > Self.latest { hops.remove(at: 1) }
        hops.append(before)
        (last, earlier) = (hop, Earlier(hops))
    }

    /// The stored hops, oldest first.
    var hops: [IdentityHop] {
        let earlier = earlier?.hops.map(\.hop) ?? []
        return last.map { earlier + [$0.hop] } ?? earlier
    }

    /// The hop that brought the work here.
    var lastHop: IdentityHop? { last?.hop }
}

/// A stored hop: what takes longer to compute waits until it is read.
struct KeptHop: Sendable {
    let boundary: IdentityBoundary
    /// The queue that the work is handed to, or a name: one reference, so that copying a hop is cheap.
    private let place: (any AnyObject & Sendable)?
    let site: BindingSite?
    let time = CaptureTime.now

    private final class Name: Sendable {
        let text: String
        init(_ text: String) { self.text = text }
    }

    init(_ boundary: IdentityBoundary, onto queue: DispatchQueue, _ site: BindingSite?) {
        (self.boundary, self.place, self.site) = (boundary, queue, site)
    }

    init(_ boundary: IdentityBoundary, onto name: String?, _ site: BindingSite?) {
        (self.boundary, self.place, self.site) = (boundary, name.map(Name.init), site)
    }

    var hop: IdentityHop {
        let name = (place as? Name)?.text ?? (place as? DispatchQueue)?.label
        return IdentityHop(boundary: boundary, place: name, site: site, time: time.instant)
    }
}
