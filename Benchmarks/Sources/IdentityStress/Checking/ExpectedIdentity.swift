import MultiIdentity

/// A second copy of rule 2.2's truth table, independent of the library: the effective identity of work.
enum ExpectedIdentity {
    /// Returns the identity for file work: the UI level never counts.
    static func files(thread: Identity?, process: Identity?) -> Identity? {
        if thread != nil { return thread }
        return process
    }

    /// Returns the identity for UI work: the UI level counts between the two others, and only on main.
    static func ui(thread: Identity?, ui: Identity?, process: Identity?, isOnMain: Bool) -> Identity? {
        switch (thread != nil, isOnMain && ui != nil) {
        case (true, _): thread
        case (false, true): ui
        case (false, false): process
        }
    }
}
