# Snapshots, restoring and wrapping.

RESTORE = "Sources/MultiIdentity/Carrying/IdentitySnapshot+Restore.swift"
CAPTURE = "Sources/MultiIdentity/Carrying/BoundaryCapture.swift"
WRAP = "Sources/MultiIdentity/Carrying/IdentitySnapshot+Wrap.swift"

mutant(
    "unset-not-carried",
    "Work that a boundary captured with nothing bound runs as its worker.",
    "DirtyWorkerTests|HandedOverWorkTests", CAPTURE,
    "if ThreadMirror.shows(snapshot) { work() } else { snapshot.bindForWork(work) }",
    "if ThreadMirror.shows(snapshot) || snapshot.identity == nil { work() } else { snapshot.bindForWork(work) }",
)
mutant(
    "unset-not-carried-by-a-snapshot",
    "Restoring a snapshot of nothing changes nothing.",
    "WrappedClosureTests|IdentitySnapshotTests", RESTORE,
    "return ThreadMirror.shows(self) ? .nothingToDo : .bind",
    "return ThreadMirror.shows(self) || identity == nil ? .nothingToDo : .bind",
)
mutant(
    "unset-not-carried-by-async-restore",
    "Asynchronous restoring where nothing was captured changes nothing.",
    "IdentitySnapshotTests|WrappedClosureTests|AsyncScopeTests", RESTORE,
    "if isRestoredPlainly { return try await bind(for: operation) }",
    "if identity == nil { return try await operation() }\n"
    "        if isRestoredPlainly { return try await bind(for: operation) }",
)
mutant(
    "always-bound-here",
    "Every restore of a boundary is left out, as if what was captured were bound already.",
    "HandedOverWorkTests|DirtyWorkerTests", CAPTURE,
    "if ThreadMirror.shows(snapshot) { work() } else { snapshot.bindForWork(work) }",
    "work()",
)
mutant(
    "bound-here-by-identity-alone",
    "A restore is left out where the identity is bound already, though levels or spelling differ.",
    "IdentitySnapshotTests|WrappedClosureTests|IdentityLevelsTests", RESTORE,
    "return ThreadMirror.shows(self) ? .nothingToDo : .bind",
    "return ThreadMirror.current().identity == identity ? .nothingToDo : .bind",
)
mutant(
    "boundary-bound-here-by-identity-alone",
    "A boundary's restore is left out where the identity is bound already, though levels or spelling differ.",
    "HandedOverWorkTests|DirtyWorkerTests", CAPTURE,
    "if ThreadMirror.shows(snapshot) {",
    "if ThreadMirror.current().identity == snapshot.identity {",
)
mutant(
    "elided-on-dirty-workers",
    "A boundary's restore is left out wherever anything is bound: on a worker inside somebody's scope.",
    "DirtyWorkerTests", CAPTURE,
    "if ThreadMirror.shows(snapshot) {",
    "if ThreadMirror.current().identity != nil {",
)
mutant(
    "wrapped-captured-late",
    "A wrapped closure runs as whoever calls it.",
    "WrappedClosureTests|HandedOverWorkTests", WRAP,
    "{ restore(work) }",
    "{ IdentitySnapshot.capture().restore(work) }",
)
mutant(
    "first-capture-does-not-win",
    "A closure with arguments or a value that is called inside another's scope runs as that one, though it was wrapped first.",
    "HandedOverWorkTests|WrappedClosureTests", WRAP,
    "{ (arguments: repeat each Argument) in restore { work(repeat each arguments) } }",
    "{ (arguments: repeat each Argument) in\n"
    "            Identity.current == nil ? restore { work(repeat each arguments) } : work(repeat each arguments)\n"
    "        }",
)
mutant(
    "throwing-wrap-without-restore",
    "A wrapped closure that throws runs as whoever calls it.",
    "WrappedClosureTests", WRAP,
    "try restore { () throws(Failure) -> Value in try work(repeat each arguments) }",
    "try work(repeat each arguments)",
)
mutant(
    "async-wrap-without-restore",
    "A wrapped asynchronous closure runs as whoever calls it.",
    "WrappedClosureTests", WRAP,
    "            await restore { () async -> Value in await work() }\n",
    "            await work()\n",
)
mutant(
    "async-throwing-wrap-without-restore",
    "A wrapped asynchronous closure that throws runs as whoever calls it.",
    "WrappedClosureTests", WRAP,
    "try await restore { () async throws(Failure) -> Value in try await work() }",
    "try await work()",
)
mutant(
    "async-wrap-of-an-argument-without-restore",
    "A wrapped asynchronous closure with an argument runs as whoever calls it.",
    "WrappedClosureTests", WRAP,
    "            await restore { () async -> Value in await work(argument) }\n",
    "            await work(argument)\n",
)
