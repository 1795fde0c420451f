extension MalformedLine.Reason: CustomStringConvertible {
    /// The reason in one line of text.
    public var description: String {
        switch self {
        case .blank:
            "the line is blank"
        case .tooLong(let limit):
            "the line is longer than \(limit) bytes"
        case .controlByte(let byte, let offset):
            "the control byte \(byte) stands unescaped at byte offset \(offset)"
        case .invalidUTF8(let offset):
            "the line is not UTF-8 at byte offset \(offset)"
        case .missingHost:
            "the line does not begin with a client's address"
        case .missingIdentity:
            "the second field is missing"
        case .missingUser:
            "the user is missing; nobody is written '-'"
        case .extraField:
            "fields too many precede the user; cut off the virtual host, or what a collector put in front"
        case .missingTimestamp:
            "no moment in square brackets follows the user"
        case .invalidTimestamp:
            "the square brackets do not hold a moment such as 10/Oct/2000:13:55:36 -0700"
        case .missingRequest:
            "no request in quotes follows the moment"
        case .unterminatedRequest:
            "the request's closing quote is missing"
        case .invalidEscape(let field, let offset):
            "the \(field.rawValue) has an unknown escape at its byte offset \(offset)"
        case .decodedTextNotUTF8(let field):
            "the \(field.rawValue) is not UTF-8 once its escapes are decoded"
        case .invalidStatus(let text):
            "the status is \(String(reflecting: text)), not a number from 100 to 599"
        case .invalidSize(let text):
            "the size is \(String(reflecting: text)), neither '-' nor a number that fits"
        case .invalidTail:
            "what follows the size is not a referer and an agent, each in quotes"
        }
    }
}
