# Scopes, and what holds them: the task-local, the mirror of a thread, and the binding that stays on a worker.

FOLDER = "Sources/MultiIdentity/Binding/"
MIRROR = FOLDER + "ThreadMirror.swift"
BIND = FOLDER + "IdentitySnapshot+Bind.swift"
LASTING = "Sources/CMultiIdentity/include/LastingBinding.h"

mutant(
    "mirror-not-entered", rule="3.1", breaks="A scope binds the task-local alone: code outside tasks sees nothing of it.",
    file=MIRROR, within="func show", instead=("thread.pointee.mirror = bits", "_ = bits"),
    tests="ThreadMirrorTests|ScopeTests",
)
mutant(
    "mirror-not-left", rule="3.1", breaks="A scope ends, and its thread still shows its identity.",
    file=MIRROR, within="func leave", drop="show(outer)",
    tests="ThreadMirrorTests|HandedOverWorkTests",
)
mutant(
    "not-reinstated-on-throw", rule="3.2", breaks="A scope that ends with an error leaves its identity on the thread.",
    file=FOLDER + "WithIdentity.swift", within="func withIdentity", drop="defer { closeScope",
    replace=("return try operation()", "let value = try operation()\ncloseScope(outer)\nreturn value"),
    tests="ScopeTests",
)
mutant(
    "outer-scope-not-put-back", rule="3.2",
    breaks="A scope inside another ends, and tasks that are started after it still have its identity.",
    file=MIRROR, within="func leaveInPlace",
    replace=("BindingPlace.innermost?.exchange(…) ??", "outer & 0 ^"),
    tests="BindingPlaceTests|ScopeTests|TaskInheritanceTests",
)
mutant(
    "async-scope-leaves-the-actor", rule="3.3", breaks="An asynchronous scope runs its body off the caller's actor.",
    file=BIND, within="func bind", drop="_ = isolation",
    tests="AsyncScopeTests",
)
mutant(
    "task-local-not-bound", rule="3.4",
    breaks="A synchronous scope shows its identity on the thread and not in the task-local: a task started in it loses it.",
    file=MIRROR, within="func push", replace=("mi_bound_push(bits)", "mi_bound_push(bitsOfNothing)"),
    tests="ScopeTests|TaskInheritanceTests",
)
mutant(
    "inner-scope-on-the-thread-alone", rule="3.4",
    breaks="A scope inside another shows its identity on the thread, and a task started in it has the outer one's.",
    file=MIRROR, within="func enter",
    replace=("place.exchange(bits) ^ bitsOfNothing", "place.exchange(place.exchange(bits)) & 0 | outer"),
    tests="BindingPlaceTests|ScopeTests|TaskInheritanceTests",
)
mutant(
    "mirror-asked-in-tasks", rule="3.4", breaks="In a task, what the thread shows counts and not what the task has bound.",
    file=MIRROR, within="func currentBits", replace=("taskRuns ||", ""),
    tests="AsyncScopeTests|TaskInheritanceTests",
)
mutant(
    "exited-thread-shows-its-work", rule="3.2", breaks="Work exits its thread, whose destructors still see its identity.",
    file=LASTING, within="mi_lasting_forget", drop="mirror = 0",
    tests="LastingBindingTests",
)
mutant(
    "lasting-binding-left-behind", rule="3.4",
    breaks="A worker's work ends, and a task that is started there afterwards has its identity.",
    file=LASTING, within="mi_lasting_leave", drop="= nothing",
    tests="LastingBindingTests|DirtyWorkerTests",
)
mutant(
    "lasting-binding-set-inside-another", rule="3.4",
    breaks="Work that runs inside other work ends, and takes the outer one's identity along.",
    file=LASTING, within="mi_lasting_enter", replace=("thread->mirror ||", ""),
    tests="LastingBindingTests",
)
mutant(
    "lasting-binding-above-another", rule="3.4",
    breaks="A worker's binding lasts where another lies beneath, which ends it in its place.",
    file=FOLDER + "BindingPlace.swift", within="func becomeLasting", replace=("mi_bound_beneath(place) == 0 &&", ""),
    tests="LastingBindingTests",
)
mutant(
    "lasts-where-others-bind", rule="3.5", breaks="A worker keeps its binding though others can copy and bind what is bound.",
    file=FOLDER + "ConcurrencyRuntime.swift", within="var letsBindingsLast", replace=("&& !copiesBindings", ""),
    tests="ConcurrencyRuntimeTests|CopiedBindingsTests",
)
mutant(
    "believed-in-a-deinit", rule="3.6", breaks="What the mirror shows is believed in an isolated deinit, where it is hidden.",
    file=MIRROR, within="func isSeen", body="true",
    tests="IsolatedDeinitTests",
)

mutant(
    "exited-scopes-not-ended-at-once", rule="3.2",
    breaks="A thread of its own that exits in carried work shows its identity to the first destructors.",
    file="Sources/CMultiIdentity/LastingBinding.c", within="mi_run_thread", replace=("end_scopes, NULL", "free, NULL"),
    tests="ThreadTests",
)
mutant(
    "exited-binding-taken-for-the-innermost", rule="3.2",
    breaks="Where a thread exits inside another task-local's value, that one is unbound in the place of the identity.",
    file="Sources/CMultiIdentity/LastingBinding.c", within="end_lasting", drop="return end_scopes(context)",
    tests="LastingBindingTests",
)
