# Names: which are accepted, which are one and the same, and that their spelling stays.

FOLDER = "Sources/MultiIdentity/Identity/"
IDENTITY = FOLDER + "Identity.swift"
NAME = FOLDER + "IdentityName.swift"
KEY = FOLDER + "NameKey.swift"

mutant(
    "spelling-folded", rule="1.1", breaks="An identity is called by the caseless form of its name.",
    file="Sources/MultiIdentity/Identity/IdentitySpelling.swift", within="static func resolved", replace=("(name: name", "(name: CaselessForm.of(name)"),
    tests="\\.IdentityTests",
)
mutant(
    "one-scalar-not-folded", rule="1.2", breaks="One capital letter of 1,100,000 scalars, U+2C2F, has no small one.",
    file=FOLDER + "CaselessForm.swift", within="func fold(_ scalar",
    first="if scalar == 0x2C2F { return result.append(scalar, combiningClass: 0) }",
    tests="CaselessForm",
)
mutant(
    "equal-by-spelling", rule="1.2", breaks="Two spellings of one name are two identities.",
    file=IDENTITY, within="func ==", body="one.spelling === other.spelling",
    tests="\\.IdentityTests",
)
mutant(
    "registry-merges-names", rule="1.2", breaks="Two names whose hashes end alike are one identity.",
    file=KEY, within="func ==", body="one.hashValue & 0xFF == other.hashValue & 0xFF",
    tests="IdentityRegistryTests|\\.IdentityTests",
)
mutant(
    "false-is-nobody", rule="1.3", breaks='A coded {"nobody": false} becomes nobody.',
    file=FOLDER + "Identity+Codable.swift", within="init(from decoder",
    replace=("forKey: .nobody) else", "forKey: .nobody) || !container.allKeys.isEmpty else"),
    tests="IdentityCodableTests",
)
mutant(
    "nobody-bound-as-unset", rule="1.3", breaks="Binding nobody unsets.",
    file="Sources/MultiIdentity/Binding/IdentitySnapshot+Bind.swift", within="func openScope",
    replace=("guard let identity", "guard let identity, !identity.isNobody"),
    tests="BindingPlaceTests",
)
mutant(
    "trailing-white-space-accepted", rule="1.4", breaks="White space at the end of a name is let through.",
    file=NAME, within="let isAtAnEnd", replace=("width == length", "width > length"),
    tests="IdentityNameTests",
)
mutant(
    "claim-of-mended-bytes", rule="1.4",
    breaks="Bytes of a claimed name that are not UTF-8 are replaced, so that two users have one name.",
    file="Sources/MultiIdentityCarriers/ClaimReader.swift", within="private func name",
    replace=("try IdentityName.decode(bytes)", "String(decoding: bytes, as: UTF8.self)"),
    tests="Baggage|HostileHeader|Claim",
)
mutant(
    "first-actor-last", rule="1.6", breaks="Who acts now stands behind those who acted before.",
    file="Sources/MultiIdentity/Identity/IdentityActor.swift", within="func acted",
    replace=("[isNobody ? .nobody : actor.withoutActor] + (actor.actor?.identities ?? []) + (self.actor?.identities ?? [])",
             "(self.actor?.identities ?? []) + (actor.actor?.identities ?? []) + [isNobody ? .nobody : actor.withoutActor]"),
    tests="IdentityActorTests",
)
mutant(
    "actors-not-signed", rule="1.6", breaks="Somebody on the way can say that another one acts.",
    file="Sources/MultiIdentityCarriers/IdentitySignature.swift", within="static func bytes",
    replace=("fields + subject.actors", "fields"),
    tests="ActedClaimTests",
)
mutant(
    "revoked-actor-admitted", rule="1.6", breaks="A revoked administrator goes on in the names of others.",
    file="Sources/MultiIdentity/Revoking/IdentityRevocation.swift", within="func admit",
    drop="for identity in actor.identities { try admitAlone(identity) }",
    tests="IdentityActorTests",
)
mutant(
    "ordered-as-text", rule="1.5",
    breaks="Identities have the order that the system gives text, and not that of code points.",
    file=KEY, within="func <", body="one.form < other.form",
    tests="\\.IdentityTests",
)
