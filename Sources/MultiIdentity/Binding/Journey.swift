/// The hops by which work came from the scope that bound its identity to here.
///
/// It counts all hops and keeps the first and the latest: work that hands itself over for ever must not grow.
final class Journey: Sendable {
    /// Kept besides the first.
    private static let latest = 15

    let count: Int
    let began: ContinuousClock.Instant
    private let kept: [IdentityHop]

    private init(count: Int, began: ContinuousClock.Instant, kept: [IdentityHop]) {
        self.count = count
        self.began = began
        self.kept = kept
    }

    /// The way so far and one hop more; the hop itself is kept where somebody wants to see it.
    static func continuing(_ journey: Journey?, since began: ContinuousClock.Instant?, by hop: IdentityHop?) -> Journey
    {
        var kept = journey?.kept ?? []
        if let hop {
            if kept.count > latest { kept.remove(at: 1) }
            kept.append(hop)
        }
        return Journey(
            count: (journey?.count ?? 0) + 1,
            began: journey?.began ?? began ?? hop?.time ?? .now,
            kept: kept
        )
    }

    /// The hops that were kept, the first ones first.
    var hops: [IdentityHop] { kept }
}
