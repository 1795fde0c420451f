import MultiIdentity

/// The truth table of rule 2.2, written down once more and apart from the library: what work has to count as.
enum ExpectedIdentity {
    /// For file work: the UI level never counts.
    static func files(thread: Identity?, process: Identity?) -> Identity? {
        if thread != nil { return thread }
        return process
    }

    /// For UI work: the UI level counts between the two others, and only on main.
    static func ui(thread: Identity?, ui: Identity?, process: Identity?, isOnMain: Bool) -> Identity? {
        switch (thread != nil, isOnMain && ui != nil) {
        case (true, _): thread
        case (false, true): ui
        case (false, false): process
        }
    }
}
