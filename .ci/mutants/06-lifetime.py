# What is let go of, and when.

REGISTRY = "Sources/MultiIdentity/Identity/IdentityRegistry.swift"
BOX = "Sources/MultiIdentity/Carrying/WorkBox.swift"
BINDING = "Sources/MultiIdentity/Binding/"
FOUNDATION = "Sources/MultiIdentityFoundation/"

mutant(
    "registry-keeps-names", rule="6.1", breaks="The registry keeps every record that it ever made.",
    file=REGISTRY, within="struct Entry", replace=("weak var record", "var record"),
    tests="IdentityRegistryTests",
)
mutant(
    "registry-forgets-the-living", rule="6.1",
    breaks="A record that ends takes the entry of the one that came after it along: one name becomes two identities.",
    file=REGISTRY, within="func forget", drop="== identifier",
    tests="IdentityRegistryTests",
)
mutant(
    "box-not-released", rule="6.2", breaks="The box of a piece of work is never let go of.",
    file=BOX, within="func emptied", replace=("$0.move()", "$0.pointee"),
    tests="ReleaseTests",
)
mutant(
    "dropped-box-not-released", rule="6.2", breaks="Work that is dropped before it has run is never let go of.",
    file=BOX, within="deinit", replace=("contents.move()", "contents.pointee"),
    tests="ReleaseTests",
)
mutant(
    "frame-with-a-box-freed-twice", rule="6.2", breaks="The memory of a box is freed though it is a frame's.",
    file=BOX, within="init", replace=("capture.room != nil", "false"),
    tests="ProvenanceTests",
)
mutant(
    "held-work-kept", rule="6.2", breaks="Work that comes once is kept after it has run.",
    file=FOUNDATION + "HeldWork.swift", within="func take", drop="content = nil",
    tests="GivenWorkLifetimeTests|ThreadTests",
)
mutant(
    "callback-called-once-kept", rule="6.2", breaks="A callback that comes once is never let go of.",
    file="Sources/MultiIdentity/Boundaries/Callbacks/IdentityCallback.swift", within="func callOnce",
    replace=("takeRetainedValue", "takeUnretainedValue"),
    tests="CallbackTests",
)
mutant(
    "snapshot-kept-with-the-operation", rule="6.2", breaks="An operation that has run keeps what was captured for it.",
    file=FOUNDATION + "Operations/BoundaryCapture+WrapOnce.swift", within="func wrapOnce",
    replace=("held = nil", "held = held.map { $0 }"),
    tests="OperationLifetimeTests",
)
mutant(
    "same-identity-kept", rule="6.2",
    breaks="Where the worker has the identity bound already, the reference that came with the work is never given back.",
    file=BINDING + "IdentitySnapshot+Bind.swift", within="func bind(takingOver", drop="if bits != ThreadMirror.bitsOfNothing",
    tests="ReleaseTests",
)
mutant(
    "inner-scope-never-let-go", rule="6.2", breaks="What a scope inside another binds is never let go of.",
    file=BINDING + "ThreadMirror.swift", within="func leaveInPlace", instead=("if inner", "_ = inner"),
    tests="BindingPlaceTests|ReleaseTests",
)
mutant(
    "invalid-timer-keeps-its-work", rule="6.2", breaks="A timer that was made invalid keeps its block and what was captured.",
    file=FOUNDATION + "RunLoops/CarryingTimer.swift", within="func invalidate", drop="letGo",
    tests="GivenWorkLifetimeTests|TimerTests",
)
