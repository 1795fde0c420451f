import MultiIdentity

/// Calls each library once, and prints as whom its work ran.
public enum LibraryReport: Sendable {
    /// What is expected of the work that automatic mode reaches.
    public enum Expectation: Sendable {
        /// It runs as its caller.
        case kept
        /// It runs with nothing bound.
        case lost
    }

    /// Calls each library as Ada, and prints a line for each.
    ///
    /// - Parameter expectation: What is expected. What is out of automatic mode's reach is lost in any case.
    /// - Returns: The names of the cases that are not as expected.
    /// - Throws: What a library throws.
    public static func run(expecting expectation: Expectation) async throws -> [String] {
        let ada = try Identity("ada@contoso.com")
        let width = LibraryCase.all.map(\.name.count).max() ?? 0
        var differing: [String] = []
        for library in LibraryCase.all {
            let found = try await library.identityOfWork(as: ada)
            if found != (library.outOfReach == nil && expectation == .kept ? ada : nil) {
                differing.append(library.name)
            }
            let name = library.name + String(repeating: " ", count: width - library.name.count)
            let reason = library.outOfReach.map { " (\($0))" } ?? ""
            print("\(name)  \(found == ada ? "kept" : "lost")\(reason)")
        }
        return differing
    }
}
