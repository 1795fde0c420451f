# Names: which are accepted, which are one and the same, and that they go.

FORM = "Sources/MultiIdentity/Identity/CaselessForm.swift"
SEQUENCE = "Sources/MultiIdentity/Identity/CanonicalSequence.swift"
NAME = "Sources/MultiIdentity/Identity/IdentityName.swift"
EXACTLY = "Sources/MultiIdentity/Identity/String+IsExactly.swift"
REGISTRY = "Sources/MultiIdentity/Identity/IdentityRegistry.swift"
IDENTITY = "Sources/MultiIdentity/Identity/Identity.swift"

mutant(
    "one-scalar-not-folded",
    "One capital letter of 1,100,000 scalars, U+2C2F, has no small one.",
    "CaselessForm", FORM,
    "    private static func fold(_ scalar: UInt32, into result: inout CanonicalSequence) {\n",
    "    private static func fold(_ scalar: UInt32, into result: inout CanonicalSequence) {\n"
    "        if scalar == 0x2C2F { return result.append(scalar, combiningClass: 0) }\n",
)
mutant(
    "one-hangul-final-lost",
    "Hangul syllables lose the first of their final consonants.",
    "CaselessForm", FORM,
    "if syllable % 28 != 0 {",
    "if syllable % 28 > 1 {",
)
mutant(
    "ascii-z-not-folded",
    "In names of ASCII, Z has no small letter.",
    "CaselessForm|IdentityTests", FORM,
    'byte &- UInt8(ascii: "A") < 26',
    'byte &- UInt8(ascii: "A") < 25',
)
mutant(
    "pairs-of-marks-unordered",
    "Two combining marks stay in the order in which they were typed.",
    "CaselessForm", SEQUENCE,
    "if self.marks.count > 1 { self.marks.sort() }",
    "if self.marks.count > 2 { self.marks.sort() }",
)
mutant(
    "longest-name-refused",
    "A name of 1,024 bytes is too long.",
    "IdentityNameTests|IdentityErrorTests", NAME,
    "guard length <= maximumLength else",
    "guard length < maximumLength else",
)
mutant(
    "delete-accepted",
    "The control character U+007F is taken for a plain one.",
    "IdentityNameTests", NAME,
    "$0 <= 0x7E",
    "$0 <= 0x7F",
)
mutant(
    "trailing-white-space-accepted",
    "White space at the end of a name is let through.",
    "IdentityNameTests", NAME,
    "let isAtAnEnd = offset == 0 || offset + width == length",
    "let isAtAnEnd = offset == 0 || offset + width > length",
)
mutant(
    "paragraph-separator-accepted",
    "U+2029 does not count as a line break.",
    "IdentityNameTests", NAME,
    "0x85, 0x2028, 0x2029: true",
    "0x85, 0x2028: true",
)
mutant(
    "offset-counts-scalars",
    "The offset of what is not UTF-8 counts scalars and not bytes.",
    "IdentityNameTests|IdentityErrorTests", "Sources/MultiIdentity/Identity/Identity+UTF8.swift",
    "offset += sequence.count",
    "offset += sequence.isEmpty ? 0 : 1",
)
mutant(
    "false-is-nobody",
    'A coded {"nobody": false} becomes nobody.',
    "IdentityCodableTests", "Sources/MultiIdentity/Identity/Identity+Codable.swift",
    "guard try container.decode(Bool.self, forKey: .nobody) else {",
    "guard try container.decode(Bool.self, forKey: .nobody) || !container.allKeys.isEmpty else {",
)
mutant(
    "equal-by-spelling",
    "Two spellings of one name are two identities.",
    "IdentityTests", IDENTITY,
    "one.spelling.record === other.spelling.record",
    "one.spelling === other.spelling",
)
mutant(
    "hashed-by-spelling",
    "Two spellings of one name are equal, and hash otherwise.",
    "IdentityTests", IDENTITY,
    "hasher.combine(ObjectIdentifier(spelling.record))",
    "hasher.combine(ObjectIdentifier(spelling))",
)
mutant(
    "registry-forgets-the-living",
    "A record that ends takes the entry of the one that came after it along: one name becomes two identities.",
    "IdentityRegistryTests", REGISTRY,
    "guard shard.entries[index].value.identifier == identifier else { return }",
    "",
)
mutant(
    "registry-keeps-names",
    "The registry keeps every record that it ever made.",
    "IdentityRegistryTests", REGISTRY,
    "        weak var record: IdentityRecord?",
    "        var record: IdentityRecord?",
)
mutant(
    "registry-merges-names",
    "Two names whose hashes end alike are one identity.",
    "IdentityRegistryTests|IdentityTests", "Sources/MultiIdentity/Identity/NameKey.swift",
    "one.form.isExactly(other.form)",
    "one.hashValue & 0xFF == other.hashValue & 0xFF",
)
mutant(
    "registry-never-shrinks",
    "The registry's memory stays what it was at the worst moment.",
    "IdentityRegistryTests", REGISTRY,
    "shard.entries = smaller",
    "_ = smaller",
)
mutant(
    "keys-of-one-length-are-one",
    "Two names of the same length are one, where they meet.",
    "IdentityTests", EXACTLY,
    "difference |= mine[index] ^ theirs[index]",
    "difference |= 0",
)
