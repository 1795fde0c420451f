# Scopes, the mirror of the thread level, and what travels besides the identity.

BIND = "Sources/MultiIdentity/Binding/IdentitySnapshot+Bind.swift"
MIRROR = "Sources/MultiIdentity/Binding/ThreadMirror.swift"
LASTING = "Sources/CMultiIdentity/include/LastingBinding.h"
FRAME = "Sources/MultiIdentity/Binding/BindingFrame.swift"

mutant(
    "mirror-not-left",
    "A scope ends, and its thread still shows its identity.",
    "ThreadMirrorTests|HandedOverWorkTests", MIRROR,
    "        _ = show(outer)\n        mi_bound_pop()\n",
    "        mi_bound_pop()\n",
)
mutant(
    "mirror-not-entered",
    "A scope binds the task-local alone: code outside tasks sees nothing of it.",
    "ThreadMirrorTests|ScopeTests", MIRROR,
    "thread.pointee.mirror = bits\n",
    "_ = bits\n",
)
mutant(
    "mirror-asked-in-tasks",
    "In a task, what the thread shows counts and not what the task has bound.",
    "AsyncScopeTests|TaskInheritanceTests", MIRROR,
    "if taskRuns || mi_fast_paths_are_off() {",
    "if mi_fast_paths_are_off() {",
)
mutant(
    "task-local-not-bound",
    "A synchronous scope shows its identity on the thread and not in the task-local: a task started in it loses it.",
    "ScopeTests|TaskInheritanceTests", MIRROR,
    "mi_bound_push(bits)",
    "mi_bound_push(bitsOfNothing)",
)
mutant(
    "inner-scope-on-the-thread-alone",
    "A scope inside another shows its identity on the thread, and a task started in it has the outer one's.",
    "BindingPlaceTests|ScopeTests|TaskInheritanceTests", MIRROR,
    "return place.exchange(bits) ^ bitsOfNothing | inPlace",
    "return place.exchange(place.exchange(bits)) & 0 | outer | inPlace",
)
mutant(
    "what-is-shown-put-back",
    "Where a thread shows what it has not bound, the end of a scope releases what nobody retained.",
    "BindingPlaceTests", MIRROR,
    "return place.exchange(bits) ^ bitsOfNothing | inPlace",
    "return place.exchange(bits) & 0 | outer | inPlace",
)
mutant(
    "outer-scope-not-put-back",
    "A scope inside another ends, and tasks that are started after it still have its identity.",
    "BindingPlaceTests|ScopeTests|TaskInheritanceTests", MIRROR,
    "BindingPlace.innermost?.exchange(outer ^ bitsOfNothing) ?? bitsOfNothing",
    "outer & 0 ^ bitsOfNothing",
)
mutant(
    "inner-scope-shown-for-longer",
    "A scope inside another ends, and its thread still shows its identity.",
    "BindingPlaceTests|ScopeTests", MIRROR,
    "        _ = show(outer)\n        let inner",
    "        let inner",
)
mutant(
    "inner-scope-never-let-go",
    "What a scope inside another binds is never let go of.",
    "BindingPlaceTests|ReleaseTests", MIRROR,
    "?? bitsOfNothing\n        if inner != bitsOfNothing { IdentitySnapshot.release(inner) }\n",
    "?? bitsOfNothing\n        _ = inner\n",
)
mutant(
    "binding-ended-before-the-mirror",
    "What goes with a binding is let go of while the thread still shows it.",
    "BindingPlaceTests", MIRROR,
    "        _ = show(outer)\n        mi_bound_pop()\n",
    "        mi_bound_pop()\n        _ = show(outer)\n",
)
mutant(
    "not-reinstated-on-throw",
    "A scope that ends with an error leaves its identity on the thread.",
    "ScopeTests", "Sources/MultiIdentity/Binding/WithIdentity.swift",
    "    defer { IdentitySnapshot.closeScope(outer) }\n"
    "    return try operation()",
    "    let value = try operation()\n"
    "    IdentitySnapshot.closeScope(outer)\n"
    "    return value",
)
mutant(
    "restore-not-ended-on-throw",
    "A restored snapshot whose work ends with an error leaves its identity on the thread.",
    "IdentitySnapshotTests|WrappedClosureTests|ScopeTests", BIND,
    "        defer { Self.leave(outer) }\n"
    "        return try operation()",
    "        let value = try operation()\n"
    "        Self.leave(outer)\n"
    "        return value",
)
mutant(
    "async-scope-leaves-the-actor",
    "An asynchronous scope runs its body off the caller's actor.",
    "AsyncScopeTests", BIND,
    "            _ = isolation\n",
    "",
)
mutant(
    "nobody-bound-as-unset",
    "Binding nobody unsets.",
    "BindingPlaceTests", BIND,
    "guard let identity else { return ThreadMirror.enter(ThreadMirror.bitsOfNothing) }",
    "guard let identity, !identity.isNobody else { return ThreadMirror.enter(ThreadMirror.bitsOfNothing) }",
)
mutant(
    "nobody-taken-for-unset",
    "A snapshot that is made of nobody unsets, and so does an asynchronous scope.",
    "IdentitySnapshotTests|AsyncScopeTests", FRAME,
    "        if features.isDisjoint(with: .inScopes) {\n            if let identity {",
    "        if features.isDisjoint(with: .inScopes) {\n            if let identity, !identity.isNobody {",
)
mutant(
    "own-levels-lost-in-a-scope",
    "A scope under levels of one's own goes back to the shared ones.",
    "IdentityLevelsTests|HandedOverWorkTests", FRAME,
    "        contents.levels = ThreadMirror.current().contents?.levels\n",
    "",
)
mutant(
    "levels-captured-by-value",
    "Levels of one's own are copied where they are put in force: what is set later is not seen.",
    "IdentityLevelsTests|HandedOverWorkTests", FRAME,
    "    func under(_ levels: IdentityLevels) -> IdentitySnapshot {\n",
    "    func under(_ levels: IdentityLevels) -> IdentitySnapshot {\n"
    "        let levels = IdentityLevels(process: levels.process, ui: levels.ui, mainProbe: levels.mainProbe)\n",
)
mutant(
    "frames-not-asked-for",
    "Levels of one's own do not say that they are in use: scopes within look no further than the identity.",
    "IdentityLevelsTests|HandedOverWorkTests", FRAME,
    "        BindingFeatures.insert(.ownLevels)\n",
    "",
)
mutant(
    "frame-drops-the-site",
    "Putting levels of one's own in force forgets where the thread level was bound.",
    "ExplanationTests|IdentityLevelsTests", FRAME,
    "        contents.levels = levels\n",
    "        contents.levels = levels\n        contents.scope = nil\n",
)
mutant(
    "lasting-binding-left-behind",
    "A worker's work ends, and a task that is started there afterwards has its identity.",
    "LastingBindingTests|DirtyWorkerTests", LASTING,
    "    *thread->lasting = nothing;\n",
    "",
)
mutant(
    "lasting-binding-shown-for-longer",
    "A worker's work ends, and the worker still shows its identity.",
    "LastingBindingTests|DirtyWorkerTests", LASTING,
    "    thread->mirror = 0;\n",
    "",
)
mutant(
    "lasting-binding-in-the-mirror-alone",
    "A worker's second piece of work sees its caller, and a task that it starts does not.",
    "LastingBindingTests|TaskInheritanceTests", LASTING,
    "    *thread->lasting = bits;\n",
    "",
)
mutant(
    "lasting-binding-set-inside-another",
    "Work that runs inside other work ends, and takes the outer one's identity along.",
    "LastingBindingTests", LASTING,
    "if (thread->mirror || !thread->lasting) return false;",
    "if (!thread->lasting) return false;",
)
mutant(
    "lasting-binding-above-another",
    "A worker's binding lasts where another lies beneath, which ends it in its place.",
    "LastingBindingTests", "Sources/MultiIdentity/Binding/BindingPlace.swift",
    "mi_bound_beneath(place) == 0 && mi_bound_last(place)",
    "mi_bound_last(place)",
)
mutant(
    "lasting-binding-never-let-go",
    "A worker's work ends, and its identity is kept for good.",
    "LastingBindingTests|ReleaseTests", MIRROR,
    "mi_lasting_leave(bitsOfNothing)\n        if inner != bitsOfNothing { IdentitySnapshot.release(inner) }\n",
    "mi_lasting_leave(bitsOfNothing)\n        _ = inner\n",
)
mutant(
    "lasting-binding-outlives-its-thread",
    "A thread ends, and what its binding was kept in is never given back.",
    "LastingBindingTests", "Sources/CMultiIdentity/LastingBinding.c",
    "    swift_task_localValuePop();\n",
    "",
)
