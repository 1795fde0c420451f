import Dispatch

/// The hops by which work came from the scope that bound its identity to here.
///
/// It counts all hops and keeps the first and the latest: work that hands itself over for ever must not grow. The last one
/// stands in it as it is, so that a hand-over out of a scope allocates nothing for it.
struct Journey: Sendable {
    /// The hops before the last one, oldest first.
    private final class Earlier: Sendable {
        let hops: [KeptHop]
        init(_ hops: [KeptHop]) { self.hops = hops }
    }

    /// Kept besides the first and the last.
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

    /// The way so far and one hop more; the hop itself is kept where somebody wants to see it.
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

    /// The hops that were kept, the first ones first.
    var hops: [IdentityHop] {
        let earlier = earlier?.hops.map(\.hop) ?? []
        return last.map { earlier + [$0.hop] } ?? earlier
    }

    /// The hop that brought the work here.
    var lastHop: IdentityHop? { last?.hop }
}

/// A hop as it is kept: what it takes longer to work out waits until somebody asks.
struct KeptHop: Sendable {
    let boundary: IdentityBoundary
    /// The queue that work is handed to, or a name: one reference, so that a hop is copied in no time.
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
