import MultiIdentity

/// The identities expected at one place: computed once, compared often.
struct Expectation: Sendable {
    let thread: Identity?
    /// The same identity created separately, in another spelling if it has one: it must be equal.
    let twin: Identity?
    let files: Identity?
    let uiOnMain: Identity?
    let uiElsewhere: Identity?
    /// True if nothing is bound there, and nothing was.
    var isOfBareWorker = false

    init(thread: Identity?, twin: Identity?, ui: Identity?, process: Identity?) {
        self.thread = thread
        self.twin = twin
        files = ExpectedIdentity.files(thread: thread, process: process)
        uiOnMain = ExpectedIdentity.ui(thread: thread, ui: ui, process: process, isOnMain: true)
        uiElsewhere = ExpectedIdentity.ui(thread: thread, ui: ui, process: process, isOnMain: false)
    }

    /// Compares the expectation with what is bound here; returns `nil` if all is right.
    func mismatch(isOnMain: Bool) -> Difference? {
        let thread = Identity.current
        if !Self.isSame(thread, self.thread) || thread != twin {
            return Difference(.thread, expected: self.thread, found: thread)
        }
        let files = EffectiveIdentity.current(for: .files).identity
        if !Self.isSame(files, self.files) { return Difference(.files, expected: self.files, found: files) }
        let expectedUI = isOnMain ? uiOnMain : uiElsewhere
        let ui = EffectiveIdentity.current(for: .ui).identity
        if !Self.isSame(ui, expectedUI) { return Difference(.ui, expected: expectedUI, found: ui) }
        return nil
    }

    /// Returns whether the two are equal for the library, and in the spelling that was bound.
    private static func isSame(_ found: Identity?, _ expected: Identity?) -> Bool {
        guard let found, let expected else { return found == nil && expected == nil }
        // Strings are equal across canonical forms; the counts tell the forms in use here apart.
        return found == expected && found.isNobody == expected.isNobody
            && found.name == expected.name && found.name.utf8.count == expected.name.utf8.count
    }
}

extension Expectation {
    /// One wrong identity, with the expected one.
    struct Difference {
        /// The one of the three identities that was wrong.
        enum Kind: String, Sendable, Encodable {
            case thread = "thread level"
            case files = "effective identity for files"
            case ui = "effective identity for UI"
            case taskLocal = "carried task-local"
            case shown = "identity that profilers see"
        }

        let kind: Kind
        let expected: Identity?
        let found: Identity?

        init(_ kind: Kind, expected: Identity?, found: Identity?) {
            self.kind = kind
            self.expected = expected
            self.found = found
        }
    }
}
