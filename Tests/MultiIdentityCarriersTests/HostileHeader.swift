import MultiIdentity
import MultiIdentityCarriers
import Testing

/// A header that a stranger may send, and the code with which it is refused.
struct HostileHeader: Sendable, CustomTestStringConvertible {
    let values: [String]
    let code: IdentityCarrierError.Code
    let nameCode: IdentityError.Code?

    init(_ values: String..., is code: IdentityCarrierError.Code, _ nameCode: IdentityError.Code? = nil) {
        (self.values, self.code, self.nameCode) = (values, code, nameCode)
    }

    var testDescription: String { "\(code): \(values.count) × \(values.first?.prefix(40).debugDescription ?? "")" }

    static let all = malformed + signedInPart + terms + encodings + names + doubled + forbidden + large

    static let malformed: [HostileHeader] = [
        "identity", "identity;nobody", "identity=;", "identity=ada;", "identity=ada;;nobody", "identity=ada;nobody",
        "identity=;nobody=1", "identity=;nobody=", "identity=;nobody;nobody", "identity=;Nobody", "identity=ada;admin",
        "identity=ada;=", "identity=ada;iss", "identity=ada lovelace", "identity=\"ada\"", "identity=a\\d",
        "identity=a\tb", "identity=ada;iss=a b;aud=b;exp=1;sig=AA",
    ].map { HostileHeader($0, is: .malformedMember) }

    static let signedInPart: [HostileHeader] = [
        "iss=a", "aud=a", "exp=1", "kid=a", "sig=AA", "iss=a;aud=b;exp=1", "aud=b;exp=1;sig=AA", "iss=a;exp=1;sig=AA",
        "iss=a;aud=b;sig=AA", "iss=a;iss=a;aud=b;exp=1;sig=AA", "iss=a;aud=b;exp=;sig=AA", "iss=a;aud=b;exp=01;sig=AA",
        "iss=a;aud=b;exp=-1;sig=AA", "iss=a;aud=b;exp=+1;sig=AA", "iss=a;aud=b;exp=1.5;sig=AA",
        "iss=a;aud=b;exp=1e3;sig=AA", "iss=a;aud=b;exp=1234567890123;sig=AA", "iss=a;aud=b;exp=%D9%A1;sig=AA",
        "iss=a;aud=b;exp=99999999999999999999;sig=AA", "iss=a;aud=b;exp=1;sig=", "iss=a;aud=b;exp=1;sig=A",
        "iss=a;aud=b;exp=1;sig=AB", "iss=a;aud=b;exp=1;sig=AAB", "iss=a;aud=b;exp=1;sig=AAAAA",
        "iss=a;aud=b;exp=1;sig=AA==",
        "iss=a;aud=b;exp=1;sig=A+", "iss=a;aud=b;exp=1;sig=A/", "iss=a;aud=b;exp=1;sig=A%20",
    ].flatMap { ["identity=ada;\($0)", "identity=;nobody;\($0)"] }.map { HostileHeader($0, is: .malformedMember) }

    static let terms: [HostileHeader] = [
        "iss=;aud=b;exp=1;sig=AA", "iss=a;aud=;exp=1;sig=AA", "iss=a;aud=b;exp=1;kid=;sig=AA",
        "iss=%0A;aud=b;exp=1;sig=AA", "iss=a;aud=%FF;exp=1;sig=AA", "iss=a;aud=b;exp=1;kid=%00;sig=AA",
        "iss=a;aud=\(String(repeating: "b", count: 1_025));exp=1;sig=AA",
    ].map { HostileHeader("identity=ada;\($0)", is: .invalidTerms) }

    static let encodings: [HostileHeader] = [
        "%", "ad%", "%4", "ad%4", "%4G", "%G4", "%zz", "% 41", "%+4", "%-1", "%0x41", "%%41",
    ]
    .map { HostileHeader("identity=\($0)", is: .invalidEncoding) }

    static let names: [HostileHeader] =
        [
            HostileHeader("identity=", is: .invalidName, .emptyName),
            HostileHeader("identity= ", is: .invalidName, .emptyName),
            HostileHeader("identity=%20ada", is: .invalidName, .surroundingWhiteSpace),
            HostileHeader("identity=ada%E3%80%80", is: .invalidName, .surroundingWhiteSpace),
            HostileHeader("identity=%00", is: .invalidName, .controlCharacter),
            HostileHeader("identity=ada%00", is: .invalidName, .controlCharacter),
            HostileHeader("identity=ada%00@contoso.com", is: .invalidName, .controlCharacter),
            HostileHeader("identity=%1B[31mada", is: .invalidName, .controlCharacter),
            HostileHeader("identity=ada%7F", is: .invalidName, .controlCharacter),
            HostileHeader("identity=ada%C2%9B", is: .invalidName, .controlCharacter),
            HostileHeader("identity=ada%0A2026-11-22%20admin%20signed%20in", is: .invalidName, .lineBreak),
            HostileHeader("identity=ada%0D%0ASet-Cookie:%20a", is: .invalidName, .lineBreak),
            HostileHeader("identity=ada%E2%80%A8x", is: .invalidName, .lineBreak),
            HostileHeader("identity=\(String(repeating: "a", count: 1_025))", is: .invalidName, .nameTooLong),
            HostileHeader("identity=\(String(repeating: "%F0%9F%91%A9", count: 257))", is: .invalidName, .nameTooLong),
            HostileHeader("identity=\(String(repeating: "a", count: 8_000))", is: .invalidName, .nameTooLong),
        ]
        // Overlong in two, three and four bytes, surrogates, beyond Unicode, truncated, out of order, bytes that UTF-8 never has.
        + [
            "%C0%AF", "%C1%A1da", "%E0%80%AF", "%E0%81%A1da", "%F0%80%80%AF", "%ED%A0%80", "%ED%A0%BD%ED%B1%A9",
            "%F4%90%80%80", "%F5%80%80%80", "ada%C3", "ada%E2%82", "%80ada", "%BF", "%FE", "%FF", "ada%C3%C3%A4",
            "%C0%80",
        ].map { HostileHeader("identity=\($0)", is: .invalidName, .invalidUTF8) }

    static let doubled: [HostileHeader] = [
        HostileHeader("identity=ada,identity=grace", is: .duplicateMember),
        HostileHeader("identity=ada,identity=ada", is: .duplicateMember),
        HostileHeader("identity=ada", "identity=grace", is: .duplicateMember),
        HostileHeader("a=1,identity=ada", "", "b=2 , identity =ada", is: .duplicateMember),
        HostileHeader("identity=ada,identity", is: .duplicateMember),
        HostileHeader("identity=;nobody,identity=ada", is: .duplicateMember),
        HostileHeader("Identity=ada", is: .ambiguousMember),
        HostileHeader("identity=ada,IDENTITY=grace", is: .ambiguousMember),
        HostileHeader("identitY;x,identity=ada", is: .ambiguousMember),
        HostileHeader("%69dentity=mallory", is: .ambiguousMember),
        HostileHeader("identity=ada,%49DENTIT%79=mallory", is: .ambiguousMember),
        HostileHeader("identity=ada,+identity%20=mallory", is: .ambiguousMember),
    ]

    static let forbidden: [HostileHeader] = [
        "identity=ada\r\nX-Admin: yes", "identity=ada\n", "identity=ada\u{0}", "\u{0}", "a=\u{7F},identity=ada",
        "identity=adä", "ä=1,identity=ada", "identity=ada\u{202E}", "identity=ada,a=\u{1B}[31m", "\u{FEFF}identity=ada",
        "identity\u{A0}=ada", "identity\u{FF1D}ada", "identity=ada\u{85}", "identity=ada\u{2028}",
    ].map { HostileHeader($0, is: .forbiddenCharacter) }

    static let large: [HostileHeader] = [
        HostileHeader(String(repeating: "a=1,", count: 64) + "identity=ada", is: .tooManyMembers),
        HostileHeader("identity=ada" + String(repeating: ",a=1", count: 64), is: .tooManyMembers),
        HostileHeader("identity=ada" + String(repeating: ",a=1", count: 1_000), is: .tooManyMembers),
        HostileHeader(String(repeating: "identity=ada,", count: 100), is: .tooManyMembers),
        HostileHeader("identity=ada,a=" + String(repeating: "b", count: 8_178), is: .tooLong),
        HostileHeader(String(repeating: "a", count: 1_000_000), is: .tooLong),
        HostileHeader(String(repeating: ",", count: 8_193), is: .tooLong),
        HostileHeader("identity=\(String(repeating: "%", count: 10_000))", is: .tooLong),
    ]
}
