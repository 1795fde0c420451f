/// The values of companions where a snapshot was taken.
struct CompanionValues: Sendable {
    let all: [any CompanionValue]

    /// Runs `body` with all of them bound: the first one outermost.
    func bind(for body: () -> Void) { bind(all[...], body) }

    private func bind(_ values: ArraySlice<any CompanionValue>, _ body: () -> Void) {
        guard let first = values.first else { return body() }
        first.bind { bind(values.dropFirst(), body) }
    }

    /// Runs asynchronous `body` with all of them bound, on the caller's actor.
    nonisolated(nonsending) func bind(for body: nonisolated(nonsending) () async -> Void) async {
        await bind(all[...], isolation: #isolation, body)
    }

    private func bind(
        _ values: ArraySlice<any CompanionValue>,
        isolation: isolated (any Actor)?,
        _ body: nonisolated(nonsending) () async -> Void
    ) async {
        guard let first = values.first else { return await body() }
        await first.bind(isolation: isolation) { await bind(values.dropFirst(), isolation: isolation, body) }
    }
}

/// The value of one task-local of any type.
protocol CompanionValue: AnyObject, Sendable {
    func bind(_ body: () -> Void)
    func bind(isolation: isolated (any Actor)?, _ body: nonisolated(nonsending) () async -> Void) async
}
