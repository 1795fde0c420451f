/// Stands in for the one type of swift-http-types that a refusal of the directory has, so that no other package is needed here.
public struct HTTPResponse: Sendable {
    /// A status.
    public struct Status: Hashable, Sendable {
        /// The code.
        public let code: Int

        /// A request that cannot be read.
        public static let badRequest = Status(code: 400)
        /// Nothing at this path.
        public static let notFound = Status(code: 404)
        /// A name that another one has.
        public static let conflict = Status(code: 409)
    }
}
