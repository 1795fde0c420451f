/// A record of who cancelled a source through its view, for its cancel handler.
///
/// Views are created for each use, so the view that cancels finds the handler's record here.
final class SourceCancellation: Sendable {
    private let captured: BoundaryCapture
    private let choice: HandlerIdentity
    /// The snapshot at the first cancellation.
    private let trigger = Locked<IdentitySnapshot?>(nil)

    init(_ captured: BoundaryCapture, runningAs choice: HandlerIdentity) {
        self.captured = captured
        self.choice = choice
    }

    func run(_ handler: () -> Void) {
        captured.restore(triggeredBy: trigger.withLock { $0 }, runningAs: choice, handler)
    }

    private func cancel() {
        // Running as the trigger is a hand-over by the trigger.
        let here = choice == .owner ? IdentitySnapshot.ofTrigger : BoundaryCapture(at: .sourceCancel).snapshot
        trigger.withLock { if $0 == nil { $0 = here } }
    }
}

extension SourceCancellation {
    /// Owned by a cancel handler; the source's entry in the table goes with the handler.
    final class Entry: Sendable {
        let cancellation: SourceCancellation
        private let source: ObjectIdentifier

        init(_ cancellation: SourceCancellation, of source: AnyObject) {
            self.cancellation = cancellation
            self.source = ObjectIdentifier(source)
            let row = Row(cancellation, source)
            let replaced = SourceCancellation.rows.withLock { [id = self.source] in $0.updateValue(row, forKey: id) }
            withExtendedLifetime(replaced) {}
        }

        deinit {
            // Moved out of the lock first: a snapshot's last release can run foreign code.
            let row = SourceCancellation.rows.withLock { [source, cancellation] rows in
                guard let row = rows[source], row.cancellation === cancellation else { return nil as Row? }
                rows[source] = nil
                return row
            }
            withExtendedLifetime(row) {}
        }
    }

    /// A row for one source, with a weak reference: a later source can have the same address.
    ///
    /// `@unchecked Sendable`: it never changes except the weak reference, which is safe to read from any thread.
    fileprivate final class Row: @unchecked Sendable {
        let cancellation: SourceCancellation
        private(set) weak var source: AnyObject?

        init(_ cancellation: SourceCancellation, _ source: AnyObject) {
            self.cancellation = cancellation
            self.source = source
        }
    }

    private static let rows = Locked<[ObjectIdentifier: Row]>([:])

    /// Records who cancels a source, if it is the first cancellation.
    static func note(of source: AnyObject) {
        let row = rows.withLock { $0[ObjectIdentifier(source)] }
        if let row, row.source === source { row.cancellation.cancel() }
    }
}
