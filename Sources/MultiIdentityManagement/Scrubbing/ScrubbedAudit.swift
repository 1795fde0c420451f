public import MultiIdentityPolicy

/// A sink of audit events that takes out what nobody is to read, before another one gets them.
public struct ScrubbedAudit: AuditSink {
    private let sink: any AuditSink
    private let scrubber: Scrubber

    /// A sink before another one.
    ///
    /// - Parameters:
    ///   - sink: The other one.
    ///   - scrubber: The texts and keys to be taken out.
    public init(_ sink: any AuditSink, _ scrubber: Scrubber) {
        self.sink = sink
        self.scrubber = scrubber
    }

    /// Hands an event on, with its reason and provenance scrubbed; names of identities stay, since they are what it is for.
    public func record(_ event: AuditEvent) { sink.record(event.scrubbed(by: scrubber.scrubbed)) }
}
