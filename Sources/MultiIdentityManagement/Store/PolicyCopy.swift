/// The policies that a service gave last, as a store keeps them.
public struct PolicyCopy: Hashable, Sendable {
    /// The name that the source of policies has in the store.
    @_spi(Stores) public let source: String
    /// The text.
    @_spi(Stores) public var text: String
    /// The tag by which the service knows it.
    @_spi(Stores) public var tag: String?
    /// The signature that came with it.
    @_spi(Stores) public var signature: String
    /// The moment, by the store's clock, when the service last said that it is the right one.
    @_spi(Stores) public var confirmed: WallInstant

    /// A copy.
    ///
    /// - Parameters:
    ///   - source: The name that the source of policies has in the store.
    ///   - text: The text.
    ///   - tag: The tag by which the service knows it.
    ///   - signature: The signature that came with it.
    ///   - confirmed: The moment, by the store's clock, when the service last said that it is the right one.
    @_spi(Stores) public init(source: String, text: String, tag: String?, signature: String, confirmed: WallInstant) {
        self.source = source
        self.text = text
        self.tag = tag
        self.signature = signature
        self.confirmed = confirmed
    }

    /// Returns whether it is the same set as another copy, whenever that was confirmed.
    func isSame(as other: PolicyCopy) -> Bool { signature == other.signature && text == other.text }
}
