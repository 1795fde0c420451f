# Between processes: what is put into a header, what is read from one, and what is believed.

FOLDER = "Sources/MultiIdentityCarriers/"
REQUIREMENTS = FOLDER + "SignatureRequirements.swift"
TESTS = "Baggage|HostileHeader|Claim"

mutant(
    "last-member-wins", rule="4.13", breaks="Of two members that claim an identity the last one counts.",
    file=FOLDER + "IdentityBaggage+Extracting.swift", within="func claim",
    replace=("ours != nil", "ours != nil, values.isEmpty"),
    tests=TESTS,
)
mutant(
    "received-claim-passed-on", rule="4.13", breaks="Where nothing is bound, the member that was received stays.",
    file=FOLDER + "IdentityBaggage+Injecting.swift", within="func inject",
    replace=(
        "try replace(existing, by: headerValue",
        "if identity == nil { return }\ntry replace(existing, by: headerValue",
    ),
    tests=TESTS,
)
mutant(
    "signature-without-member", rule="4.13", breaks="A signature does not say in which member the claim stands.",
    file=FOLDER + "IdentitySignature.swift", within="let fields", replace=("member,", '"",'),
    tests=TESTS,
)
mutant(
    "any-audience", rule="4.13", breaks="A claim that was signed for one service is believed by another of a like name.",
    file=REQUIREMENTS, within="func signature",
    replace=("audience.isExactly(audience)", "audience.lowercased() == audience.lowercased()"),
    tests=TESTS,
)
mutant(
    "wrong-signature-believed", rule="4.13", breaks="What the check says is not asked for.",
    file=REQUIREMENTS, within="func verification",
    replace=("guard isRight", "guard isRight || signature.signature.count == 8"),
    tests=TESTS,
)
mutant(
    "verification-forgotten", rule="4.13", breaks="An identity does not remember how it was verified.",
    file=FOLDER + "IdentityVerifier.swift", within="func identity", replace=(", verifiedBy: verification", ""),
    tests=TESTS,
)
