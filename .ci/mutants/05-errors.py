# What errors say, and that nothing is lost in silence.

mutant(
    "offset-counts-scalars", rule="5.1", breaks="The offset of what is not UTF-8 counts scalars and not bytes.",
    file="Sources/MultiIdentity/Identity/Identity+UTF8.swift", within="func offsetOfInvalidUTF8",
    replace=("sequence.count", "sequence.isEmpty ? 0 : 1"),
    tests="IdentityNameTests|IdentityErrorTests",
)
mutant(
    "half-an-escape", rule="5.1", breaks="A % with one hexadecimal digit after it stands for that.",
    file="Sources/MultiIdentity/Identity/Hexadecimal.swift", within="func byte",
    replace=("let low = value(of: low)", "let low = Optional(value(of: low) ?? 0)"),
    tests="Baggage|HostileHeader|Claim",
)
mutant(
    "no-turn-after-a-suspension", rule="5.2", breaks="What is left of a batch that was cut short gets no other turn.",
    file="Sources/MultiIdentity/Boundaries/Queues/Batches/WorkInBatches+Turn.swift", within="func fallBehind", drop="askForTurn",
    tests="BatchOrderTests|BatchSuspensionTests|BatchIdentityTests|BatchReleaseTests|BindingPlaceTests",
)
