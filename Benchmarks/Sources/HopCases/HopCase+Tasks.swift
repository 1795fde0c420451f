/// The same calls made inside a task.
extension HopCase {
    static let taskCases = (waysOfAsync + syncCases + scopeCases)
        .filter { ["raw", "handwritten", "floor", "carried", "carried-unbound"].contains($0.way) }
        .map { $0.inTask() }
}
