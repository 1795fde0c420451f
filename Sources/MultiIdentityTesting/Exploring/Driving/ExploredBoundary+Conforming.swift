extension ExploredBoundary {
    /// What the explorer has to know of a boundary, from what the checks of promises know.
    init(_ boundary: BoundaryConformance) {
        name = Self.word(boundary.name)
        var traits = BoundaryTraits()
        traits.isPrepared = boundary.capturePoint != .handedOver
        traits.isAwaited = boundary.isAwaited
        traits.isReusable = boundary.isReusable
        drain =
            switch boundary.worker.place {
            case .drained(let drain): drain
            case .elsewhere, .callingThread, .reachable: nil
            }
        if drain != nil {
            traits.isDrained = true
            traits.isAwaited = true  // the drain returns when the work has run
        }
        switch boundary.carrier {
        case .synchronous(let prepare): self.prepare = .synchronous(prepare)
        case .asynchronous(let prepare):
            self.prepare = .asynchronous(prepare)
            traits.isAsync = true
        }
        self.traits = traits
    }

    /// A name as one word, as it stands in a schedule: `my pool` is `my-pool`.
    private static func word(_ name: String) -> String {
        let parts = name.split { $0.isWhitespace || $0 == ";" }
        return parts.isEmpty ? "boundary" : parts.joined(separator: "-")
    }
}
