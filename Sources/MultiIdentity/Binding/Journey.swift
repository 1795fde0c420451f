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
    var hops: [KeptHop] { (earlier?.hops ?? []) + (last.map { [$0] } ?? []) }

    /// The hop that brought the work here.
    var lastHop: KeptHop? { last }
}

/// A stored hop: what takes longer to compute waits until it is read.
package struct KeptHop: Sendable {
    package let boundary: IdentityBoundary
    /// The queue that the work is handed to, or a name: one reference, so that copying a hop is cheap.
    private let target: (any AnyObject & Sendable)?
    package let site: CallSite?
    package let time = CaptureTime.now

    private final class Name: Sendable {
        let text: String
        init(_ text: String) { self.text = text }
    }

    init(_ boundary: IdentityBoundary, onto queue: DispatchQueue, _ site: CallSite?) {
        (self.boundary, self.target, self.site) = (boundary, queue, site)
    }

    init(_ boundary: IdentityBoundary, onto name: String?, _ site: CallSite?) {
        (self.boundary, self.target, self.site) = (boundary, name.map(Name.init), site)
    }

    package var place: String? { (target as? Name)?.text ?? (target as? DispatchQueue)?.label }
}

extension KeptHop: CustomStringConvertible {
    package var description: String { boundary.text(onto: place, at: site) }
}

extension IdentityBoundary {
    /// `async on "mail", captured at App/Mail.swift:40`.
    func text(onto place: String?, at site: CallSite?) -> String {
        var text = name
        if let place { text += " on \"\(EscapedText(place))\"" }
        if let site { text += ", captured at \(site)" }
        return text
    }
}

extension IdentitySnapshot {
    /// The recorded hops of the work: the first and the latest of them.
    package var hops: [KeptHop] { frame?.journey?.hops ?? [] }
    package var hopCount: Int { frame?.journey?.count ?? 0 }
}
