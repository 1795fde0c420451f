import Testing

extension Trait where Self == Comment {
    /// Marks a test with the numbers of the rules of Docs/Semantics.md that it holds, which are shown where it fails.
    ///
    /// `.ci/check-rules` writes the tests of each rule from these marks. Each module of tests that holds rules has a link to
    /// this file: so no test has to import anything for it.
    static func rule(_ numbers: String...) -> Self {
        Comment(rawValue: "rule \(numbers.joined(separator: ", ")) of Docs/Semantics.md")
    }
}
