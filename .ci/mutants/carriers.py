# Between processes: what is put into a header, what is read from one, and what is believed.

FOLDER = "Sources/MultiIdentity/Carriers/"
READER = FOLDER + "ClaimReader.swift"
MEMBER = FOLDER + "BaggageMember.swift"
TEXT = FOLDER + "BaggageText.swift"
VALUES = FOLDER + "IdentityBaggage+Values.swift"
INJECTING = FOLDER + "IdentityBaggage+Injecting.swift"
EXTRACTING = FOLDER + "IdentityBaggage+Extracting.swift"
SIGNATURE = FOLDER + "IdentitySignature.swift"
REQUIREMENTS = FOLDER + "SignatureRequirements.swift"
TLS = FOLDER + "MutualTLSVerifier.swift"
TESTS = "Baggage|HostileHeader|Claim"

mutant(
    "claim-of-mended-bytes",
    "Bytes of a claimed name that are not UTF-8 are replaced, so that two users have one name.",
    TESTS, READER,
    "let name = try IdentityName.decode(bytes)",
    "let name = String(decoding: bytes, as: UTF8.self)",
)
mutant(
    "claimed-name-not-checked",
    "A claimed name need not keep the rules of names.",
    TESTS, READER,
    "            try IdentityName.validate(name)\n",
    "            if name.isEmpty { try IdentityName.validate(name) }\n",
)
mutant(
    "last-member-wins",
    "Of two members that claim an identity the last one counts.",
    TESTS, EXTRACTING,
    "if ours != nil {",
    "if ours != nil, values.isEmpty {",
)
mutant(
    "other-case-passed-over",
    "A member that differs from ours in case alone is taken for somebody else's.",
    TESTS, EXTRACTING,
    "case .anothers: continue",
    "case .anothers, .almostOurs where !values.isEmpty: continue",
)
mutant(
    "only-the-first-header",
    "A second header is not looked at.",
    TESTS, EXTRACTING,
    "try BaggageMember.all(in: values)",
    "try BaggageMember.all(in: Array(values.prefix(1)))",
)
mutant(
    "longest-header-refused",
    "A header of 8,192 bytes is too long.",
    TESTS, MEMBER,
    "guard length <= IdentityBaggage.maximumLength",
    "guard length < IdentityBaggage.maximumLength",
)
mutant(
    "empty-headers-not-counted",
    "A header that is there a hundred thousand times without a value is looked at.",
    TESTS, MEMBER,
    "values.reduce(max(0, values.count - 1))",
    "values.reduce(0)",
)
mutant(
    "one-member-too-many",
    "A header may have 65 members.",
    TESTS, MEMBER,
    "guard count <= IdentityBaggage.maximumMemberCount",
    "guard count <= IdentityBaggage.maximumMemberCount + 1",
)
mutant(
    "delete-in-header",
    "The control character U+007F may stand in a header.",
    TESTS, TEXT,
    "(0x20...0x7E).contains(byte) || byte == 0x09",
    "(0x20...0x7F).contains(byte) || byte == 0x09",
)
mutant(
    "half-an-escape",
    "A % with one hexadecimal digit after it stands for that.",
    TESTS, TEXT,
    "let low = rest.popFirst().flatMap(hexadecimal) else {",
    "let low = rest.popFirst().map({ hexadecimal($0) ?? 0 }) ?? 0 as UInt8? else {",
)
mutant(
    "percent-not-encoded",
    "A % in a name goes into the header as it is.",
    TESTS, TEXT,
    'Array("-._~@".utf8)',
    'Array("-._~@%".utf8)',
)
mutant(
    "plus-not-encoded",
    "A + in a name goes into the header as it is, where some read a space.",
    TESTS, TEXT,
    'Array("-._~@".utf8)',
    'Array("-._~@+".utf8)',
)
mutant(
    "empty-value-is-nobody",
    "A member whose value was cut off claims nobody.",
    TESTS, READER,
    "        if isNobody {\n",
    "        if isNobody || value.isEmpty {\n",
)
mutant(
    "nobody-beside-a-name",
    "A member can have a name and be nobody's.",
    TESTS, READER,
    "guard value.isEmpty else",
    "guard value.count < 1_000 else",
)
mutant(
    "unknown-property-passed-over",
    "A property that this package does not know is ignored.",
    TESTS, READER,
    'throw malformed("It has a property \\"\\(ShownText(bytes: key))\\", which none has")',
    "continue",
)
mutant(
    "last-property-wins",
    "Of two properties of one name the last one counts.",
    TESTS, READER,
    "guard !properties.has(property) else",
    "guard !properties.has(property) || property != .nobody else",
)
mutant(
    "signed-in-part-is-unsigned",
    "A claim with half a signature is one without a signature.",
    TESTS, READER,
    'else { throw malformed("It is signed in part: a signature has iss, aud, exp and sig") }',
    "else { return nil }",
)
mutant(
    "expiry-with-leading-zero",
    "An expiry can be written in more than one way.",
    TESTS, READER,
    "digits.count == 1 || digits.first != 0x30",
    "digits.count >= 1",
)
mutant(
    "signature-in-two-spellings",
    "Bits that are left over in base64url are thrown away.",
    TESTS, FOLDER + "Base64URL.swift",
    "return count < 6 && bits == 0 ? bytes : nil",
    "return count < 6 ? bytes : nil",
)
mutant(
    "stale-claim-of-another-case",
    "Injecting leaves a member that differs from ours in case alone.",
    TESTS, VALUES,
    ".filter { $0.likeness(to: member) == .anothers }",
    ".filter { $0.likeness(to: member) != .ours }",
)
mutant(
    "baggage-of-others-lost",
    "Injecting drops the properties of other members.",
    TESTS, VALUES,
    "value += other.text\n",
    "value += other.text.prefix { $0 != UInt8(ascii: \";\") }\n",
)
mutant(
    "received-claim-passed-on",
    "Where nothing is bound, the member that was received stays.",
    TESTS, INJECTING,
    "try replace(existing, by: headerValue(for: identity, besides: existing), in: &carrier, using: fields)",
    "if identity == nil { return }\n"
    "        try replace(existing, by: headerValue(for: identity, besides: existing), in: &carrier, using: fields)",
)
mutant(
    "added-header-not-noticed",
    "Nobody looks whether the carrier still has the old value.",
    TESTS, INJECTING,
    "guard now.count <= 1, now.first.map({ $0.isExactly(value ?? \"\") }) ?? (value == nil) else {",
    "guard now.count <= 1_000 else {",
)
mutant(
    "signature-without-member",
    "A signature does not say in which member the claim stands.",
    TESTS, SIGNATURE,
    "            member, kind,",
    "            \"\", kind,",
)
mutant(
    "signature-without-nobody",
    "The signature of a name is also one of nobody, and of an empty name.",
    TESTS, SIGNATURE,
    "            member, kind,",
    "            member, \"named\",",
)
mutant(
    "signature-without-expiry",
    "A signature holds for as long as whoever sends it says.",
    TESTS, SIGNATURE,
    "terms.audience, String(expiry),",
    "terms.audience, \"\",",
)
mutant(
    "signed-fields-run-together",
    "A letter can move from one signed field to the next.",
    TESTS, SIGNATURE,
    "            for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }\n",
    "            _ = length\n",
)
mutant(
    "any-audience",
    "A claim that was signed for one service is believed by another of a like name.",
    TESTS, REQUIREMENTS,
    "guard signature.audience.isExactly(audience) else",
    "guard signature.audience.lowercased() == audience.lowercased() else",
)
mutant(
    "issuers-by-equivalence",
    "Issuers are compared as text and not as bytes.",
    TESTS, REQUIREMENTS,
    "issuers.contains(where: signature.issuer.isExactly)",
    "issuers.contains(signature.issuer)",
)
mutant(
    "expired-a-moment-late",
    "A claim is good at the moment when it expires.",
    TESTS, REQUIREMENTS,
    "guard now < signature.expiry + leeway",
    "guard now <= signature.expiry + leeway",
)
mutant(
    "endless-claim-believed",
    "A claim may be good for as long as its issuer likes.",
    TESTS, REQUIREMENTS,
    "guard signature.expiry - now <= maximumLifetime + leeway",
    "guard signature.expiry - now <= maximumLifetime + maximumLifetime + leeway",
)
mutant(
    "wrong-signature-believed",
    "What the check says is not asked for.",
    TESTS, REQUIREMENTS,
    "guard isRight else",
    "guard isRight || signature.signature.count == 8 else",
)
mutant(
    "peer-without-certificate",
    "A peer without a certificate is one of those that may.",
    TESTS, TLS,
    "        guard let peer else {",
    "        let peer = peer ?? allowed.first\n        guard let peer else {",
)
mutant(
    "peers-without-case",
    "The case of a name in a certificate does not matter.",
    TESTS, TLS,
    "allowed.contains(where: peer.isExactly)",
    "allowed.contains(where: { $0.lowercased() == peer.lowercased() })",
)
mutant(
    "verification-forgotten",
    "An identity does not remember how it was verified.",
    TESTS, FOLDER + "IdentityVerifier.swift",
    "try Identity(name, verifiedBy: verification)",
    "try Identity(name)",
)
mutant(
    "encoded-key-is-anothers",
    "A member whose key is ours once it is decoded, as some readers do, passes for another's.",
    "HostileHeaderTests", "Sources/MultiIdentity/Carriers/BaggageMember.swift",
    "isEncoded ? BaggageText.decodedWhereItCanBe(key)[...].trimmed : key",
    "key",
)
