# Sources, DispatchIO, data, callbacks from C, cancellation handlers and streams.

SOURCE = "Sources/MultiIdentity/Boundaries/Sources/IdentitySource+Handlers.swift"
IO = "Sources/MultiIdentity/Boundaries/IO/IdentityIO.swift"
DESCRIPTOR = "Sources/MultiIdentity/Boundaries/IO/IdentityDescriptorIO.swift"
CHANNEL = "Sources/MultiIdentity/Boundaries/IO/DispatchIO+PropagatingIdentity.swift"
CALLBACK = "Sources/MultiIdentity/Boundaries/IdentityCallback.swift"
CANCELLATION = "Sources/MultiIdentity/Boundaries/IdentityTasks+CancellationHandler.swift"
STREAM = "Sources/MultiIdentity/Boundaries/AsyncStream+PropagatingIdentity.swift"
THROWING_STREAM = "Sources/MultiIdentity/Boundaries/AsyncThrowingStream+PropagatingIdentity.swift"
HANDLER = "Sources/MultiIdentity/Carrying/HandlerIdentity.swift"

mutant(
    "event-captured-when-it-comes",
    "A source's event handler captures each time an event comes.",
    "SourceTests|HandedOverWorkTests", SOURCE,
    "handler.map { BoundaryCapture(at: .sourceEvent, fileID, line).wrap($0) }",
    "handler.map { handler in { @Sendable in BoundaryCapture(at: .sourceEvent, fileID, line).restore(handler) } }",
)
mutant(
    "cancel-handler-uncarried",
    "A source's cancel handler is set raw.",
    "SourceTests|HandedOverWorkTests", SOURCE,
    "{ entry.cancellation.run(handler) }",
    "{ withExtendedLifetime(entry, handler) }",
)
mutant(
    "registration-handler-uncarried",
    "A source's registration handler is set raw.",
    "SourceTests|HandedOverWorkTests", SOURCE,
    "handler.map { BoundaryCapture(at: .sourceRegistration, fileID, line).wrap($0) }",
    "handler",
)
mutant(
    "read-captured-late",
    "A channel's read handler captures when data are there.",
    "ChannelTests|HandedOverWorkTests", IO,
    "        let captured = BoundaryCapture(at: .ioRead, onto: queue, fileID, line)\n"
    "        base.read(offset: offset, length: length, queue: queue, ioHandler: captured.wrap(ioHandler))",
    "        base.read(offset: offset, length: length, queue: queue) { done, data, error in\n"
    "            BoundaryCapture(at: .ioRead, onto: queue, fileID, line).restore { ioHandler(done, data, error) }\n"
    "        }",
)
mutant(
    "write-uncarried",
    "A channel's write handler is handed over raw.",
    "ChannelTests|HandedOverWorkTests", IO,
    "ioHandler: captured.wrap(ioHandler))\n    }\n\n    /// Captured when called: runs `work`",
    "ioHandler: ioHandler)\n    }\n\n    /// Captured when called: runs `work`",
)
mutant(
    "channel-barrier-uncarried",
    "A channel's barrier is handed over raw.",
    "ChannelTests|HandedOverWorkTests", IO,
    "base.barrier(execute: BoundaryCapture(at: .ioBarrier, fileID, line).wrap(work))",
    "base.barrier(execute: work)",
)
mutant(
    "descriptor-read-uncarried",
    "The handler of reading a descriptor is handed over raw.",
    "ChannelTests|HandedOverWorkTests", DESCRIPTOR,
    "handler: BoundaryCapture(at: .ioRead, onto: queue, fileID, line).wrap(handler)",
    "handler: handler",
)
mutant(
    "cleanup-of-a-channel-from-a-channel-uncarried",
    "The cleanup handler of a channel that is made from another is handed over raw.",
    "ChannelTests|HandedOverWorkTests", CHANNEL,
    "return DispatchIO(type: type, io: io, queue: queue, cleanupHandler: captured.wrap(cleanupHandler))",
    "_ = captured\n        return DispatchIO(type: type, io: io, queue: queue, cleanupHandler: cleanupHandler)",
)
mutant(
    "deallocator-captured-late",
    "A deallocator captures when the data go.",
    "DeallocatorTests|HandedOverWorkTests", "Sources/MultiIdentity/Boundaries/IO/DispatchData+PropagatingIdentity.swift",
    ".custom(queue, BoundaryCapture(at: .dataDeallocator, of: queue?.label, fileID, line).wrap(block))",
    ".custom(queue) { BoundaryCapture(at: .dataDeallocator, of: queue?.label, fileID, line).restore(block) }",
)
mutant(
    "callback-uncarried",
    "What C calls back runs as whatever its thread is.",
    "CallbackTests|HandedOverWorkTests", CALLBACK,
    "captured.restore { work(argument) }",
    "work(argument)",
)
mutant(
    "callback-called-once-kept",
    "A callback that comes once is never let go of.",
    "CallbackTests", CALLBACK,
    "reference(to: context).takeRetainedValue()",
    "reference(to: context).takeUnretainedValue()",
)
mutant(
    "on-cancel-as-the-canceller",
    "onCancel runs as whoever cancels.",
    "CancellationHandlerTests", CANCELLATION,
    "captured.restore(triggeredBy: isKnown ? .ofTrigger : nil, runningAs: choice, handler)",
    "_ = (captured, isKnown)\n            handler()",
)
mutant(
    "on-cancel-always-knows-who",
    "onCancel of a task that is cancelled already names that task as the one that cancelled.",
    "CancellationHandlerTests", CANCELLATION,
    "let isKnown = mi_task_current() != registrar || hasBegun",
    "let isKnown = mi_task_current() != registrar || hasBegun || true",
)
mutant(
    "cancellation-leaves-the-actor",
    "The operation beside an onCancel runs off its caller's actor.",
    "CancellationHandlerTests", CANCELLATION,
    "            _ = isolation\n",
    "",
)
mutant(
    "termination-as-the-terminator",
    "onTermination of a stream runs as whoever ends it.",
    "StreamTerminationTests", STREAM,
    "captured.restore(triggeredBy: isKnown ? .ofTrigger : nil, runningAs: choice) { handler(termination) }",
    "_ = (captured, isKnown)\n            handler(termination)",
)
mutant(
    "throwing-termination-captured-late",
    "onTermination of a throwing stream captures when the stream ends.",
    "StreamTerminationTests", THROWING_STREAM,
    "            captured.restore(triggeredBy:",
    "            _ = captured\n"
    "            BoundaryCapture(at: .streamTermination, fileID, line).restore(triggeredBy:",
)
mutant(
    "owner-and-trigger-exchanged",
    "A handler that should run as its owner runs as whoever set it off, and the other way round.",
    "CancellationHandlerTests|StreamTerminationTests|TriggerTests", HANDLER,
    "choice == .owner ? self : setOff(by: trigger)",
    "choice != .owner ? self : setOff(by: trigger)",
)
mutant(
    "unknown-trigger-loses-the-levels",
    "A handler that runs as whoever set it off, and nobody knows who that was, loses levels of one's own.",
    "CancellationHandlerTests|StreamTerminationTests|TriggerTests", HANDLER,
    "        contents.levels = snapshot.contents?.levels\n",
    "",
)
