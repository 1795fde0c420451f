import MultiIdentity
import Testing

@Suite("Bytes as digits") struct BytesAsDigits {
    // RFC 4648, section 10, in the alphabet for URLs and without padding.
    @Test(
        "are base64 according to RFC 4648",
        arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE")]
    )
    func areBase64(_ text: String, _ digits: String) {
        #expect(Base64.urlText(of: Array(text.utf8)) == digits)
        #expect(Base64.bytes(ofURLText: digits.utf8) == Array(text.utf8))
    }

    @Test("have one spelling each", arguments: ["Zg==", "Zh", "Z", "Zm9vY", "Zm9 v", "+/+/", "Zm8\n"])
    func haveOneSpellingEach(_ digits: String) { #expect(Base64.bytes(ofURLText: digits.utf8) == nil) }

    @Test("are read in both alphabets if requested") func areReadInBothAlphabets() {
        for digits in ["-_-_", "+/+/"] {
            var bytes: [UInt8] = []
            #expect(Base64.decode(digits.utf8, inURLs: false) { bytes.append($0) })
            #expect(bytes == [0xFB, 0xFF, 0xBF])
        }
    }

    @Test("are two hexadecimal digits each") func areTwoHexadecimalDigitsEach() {
        for byte in UInt8.min...UInt8.max {
            let plain = String(byte, radix: 16)
            let small = plain.count == 1 ? "0" + plain : plain
            let large = small.uppercased()
            #expect(Hexadecimal.text(of: [byte]) == small)
            #expect(Hexadecimal.text(of: [byte], areLarge: true) == large)
            for digits in [Array(small.utf8), Array(large.utf8)] {
                #expect(Hexadecimal.byte(digits[0], digits[1]) == byte)
            }
            #expect((Hexadecimal.value(of: byte) == nil) == !Unicode.Scalar(byte).properties.isASCIIHexDigit)
        }
    }
}
