extension MalformedLine {
    /// A reason why a line is malformed.
    ///
    /// Offsets are in bytes from the start of the line, or of the field where one is named.
    public enum Reason: Error, Hashable, Sendable {
        /// Nothing is on the line.
        case blank

        /// The line is longer than the reader's limit, given in bytes.
        case tooLong(limit: Int)

        /// A byte below 0x20, or 0x7F, stands unescaped, which servers never write.
        case controlByte(UInt8, offset: Int)

        /// The line is not UTF-8; the offset is that of the first byte that is wrong.
        case invalidUTF8(offset: Int)

        /// The line does not begin with the client's address.
        case missingHost

        /// The line ends, or goes on to the moment, before the second field.
        case missingIdentity

        /// No user stands between the second field and the moment.
        case missingUser

        /// A field too many precedes the user, as when the virtual host is logged first.
        case extraField

        /// No moment in square brackets follows the user.
        case missingTimestamp

        /// The square brackets do not hold a moment such as `10/Oct/2000:13:55:36 -0700`.
        case invalidTimestamp

        /// No request in quotes follows the moment.
        case missingRequest

        /// The request's closing quote is missing.
        case unterminatedRequest

        /// An escape other than those of nginx and Apache.
        case invalidEscape(Field, offset: Int)

        /// A field's bytes are not UTF-8 once its escapes are decoded.
        case decodedTextNotUTF8(Field)

        /// The status is not a number from 100 to 599; the beginning of what stands there instead.
        case invalidStatus(String)

        /// The size is neither `-` nor a number that fits; the beginning of what stands there instead.
        case invalidSize(String)

        /// The rest after the size is not a referer and an agent, each in quotes.
        case invalidTail
    }
}
