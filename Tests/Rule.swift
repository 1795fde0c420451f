import Testing

/// A mark on a test that holds rules of Docs/Semantics.md; `.ci/check-rules` writes the tests of each rule from it.
///
/// Each module of tests that holds rules has a link to this file: so no test has to import anything for it.
struct Rule: TestTrait {
    /// The rules' numbers, or a section's.
    let numbers: [String]

    /// Shown with the test where it fails.
    var comments: [Comment] {
        ["Docs/Semantics.md: rule \(self.numbers.joined(separator: ", "))"]
    }
}

extension Trait where Self == Rule {
    /// Marks a test with the numbers of the rules of Docs/Semantics.md that it holds.
    static func rule(_ numbers: String...) -> Self {
        Rule(numbers: numbers)
    }
}
