/// Something that is put together from several sources at once, each asked by a task of its own.
struct Account: Sendable {
    private let trail = AuditTrail()

    /// - Parameter errand: The user's errand.
    /// - Returns: The user that each task saw, and that an actor saw which they all share.
    func gather(_ errand: Errand) async -> [Sighting] {
        await withTaskGroup { group in
            for source in ["profile", "invoices", "messages"] {
                group.addTask {
                    await Task.yield()  // a source answers later, and perhaps on another thread
                    return errand.sighting(at: source)
                }
            }
            async let audited = trail.note(errand)
            var seen: [Sighting] = []
            for await sighting in group { seen.append(sighting) }
            return await seen + [audited]
        }
    }
}

/// All requests share it.
private actor AuditTrail {
    private var count = 0

    func note(_ errand: Errand) -> Sighting {
        count += 1
        return errand.sighting(at: "audit trail")
    }
}
