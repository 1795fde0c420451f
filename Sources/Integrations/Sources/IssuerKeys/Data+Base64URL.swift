#if OpenIDConnect || SecurityEvents
package import Foundation

extension Data {
    /// The bytes of a text as RFC 7515 has it, in the one spelling that they have.
    ///
    /// The last letter has bits that stand for nothing; where these are passed over, one token has several texts
    /// (RFC 4648, 3.5).
    package init?(base64URL text: Substring) {
        guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: plain + padding), bytes.base64EncodedString() == plain + padding else {
            return nil
        }
        self = bytes
    }

    /// The text of these bytes as RFC 7515 has it.
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
#endif
