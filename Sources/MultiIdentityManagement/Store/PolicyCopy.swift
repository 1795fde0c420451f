/// The last policies of a service, as a store keeps them.
@_spi(Stores) public struct PolicyCopy: Hashable, Sendable {
    /// The name of the policies' source in the store.
    public let source: String
    /// The text.
    public var text: String
    /// The tag of the text at the service.
    public var tag: String?
    /// The signature of the text.
    public var signature: String
    /// The time, by the store's clock, when the service last confirmed it.
    public var confirmed: WallInstant

    /// Creates a copy.
    ///
    /// - Parameters:
    ///   - source: The name of the policies' source in the store.
    ///   - text: The text.
    ///   - tag: The tag of the text at the service.
    ///   - signature: The signature of the text.
    ///   - confirmed: The time, by the store's clock, when the service last confirmed it.
    public init(source: String, text: String, tag: String?, signature: String, confirmed: WallInstant) {
        self.source = source
        self.text = text
        self.tag = tag
        self.signature = signature
        self.confirmed = confirmed
    }

    /// Returns whether both copies have the same text and signature, whenever they were confirmed.
    func isSame(as other: PolicyCopy) -> Bool { signature == other.signature && text == other.text }
}
