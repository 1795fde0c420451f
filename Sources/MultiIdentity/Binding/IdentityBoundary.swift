/// A kind of hand-over, such as `async`, with a name for explanations, counters and reports.
public struct IdentityBoundary: Hashable, Sendable {
    /// The index into the table of names; boundaries without their own index share the last one.
    package let index: UInt8

    /// Makes one of the core's boundaries, with a known index: handing work over looks nothing up.
    init(_ known: Known) { index = known.rawValue }

    /// Returns the boundary of this name; the same name is the same boundary.
    ///
    /// - Parameter name: The name for people. A process can have 255 names; all others share the name `other`.
    ///
    /// - Complexity: O(*n*) in the number of boundaries: make it once and keep it.
    package init(_ name: String) { index = BoundaryNames.shared.index(of: name) }

    /// The name for people.
    public var name: String { BoundaryNames.shared.name(at: index) }

    /// All boundaries named so far, in the order in which they were named.
    package static var all: [IdentityBoundary] { (0..<BoundaryNames.shared.count).map(IdentityBoundary.init(index:)) }

    package init(index: UInt8) { self.index = index }
}

extension IdentityBoundary: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

extension IdentityBoundary {
    /// The core's own boundaries, in the order of their indices.
    enum Known: UInt8, CaseIterable {
        case async, asyncAfter, sync, concurrentPerform, workItem, notify, snapshot, detachedTask, fanIn
        case sourceEvent, sourceCancel, sourceRegistration
        case ioRead, ioWrite, ioBarrier, ioCleanup, dataDeallocator
        case cancellationHandler, streamTermination, cCallback, priorityEscalation, observationTracking, asyncSequence
        case task, operation

        var name: String {
            switch self {
            case .async: "async"
            case .asyncAfter: "asyncAfter"
            case .sync: "sync"
            case .concurrentPerform: "concurrentPerform"
            case .workItem: "work item"
            case .notify: "notify"
            case .snapshot: "snapshot"
            case .detachedTask: "detached task"
            case .sourceEvent: "source event"
            case .sourceCancel: "source cancel"
            case .sourceRegistration: "source registration"
            case .ioRead: "io read"
            case .ioWrite: "io write"
            case .ioBarrier: "io barrier"
            case .ioCleanup: "io cleanup"
            case .dataDeallocator: "data deallocator"
            case .cancellationHandler: "cancellation handler"
            case .streamTermination: "stream termination"
            case .cCallback: "C callback"
            case .fanIn: "fan-in"
            case .priorityEscalation: "priority escalation"
            case .observationTracking: "observation tracking"
            case .asyncSequence: "async sequence"
            case .task: "task"
            case .operation: "operation"
            }
        }
    }

    package static var async: IdentityBoundary { IdentityBoundary(.async) }
    package static var asyncAfter: IdentityBoundary { IdentityBoundary(.asyncAfter) }
    package static var sync: IdentityBoundary { IdentityBoundary(.sync) }
    package static var concurrentPerform: IdentityBoundary { IdentityBoundary(.concurrentPerform) }
    package static var workItem: IdentityBoundary { IdentityBoundary(.workItem) }
    package static var notify: IdentityBoundary { IdentityBoundary(.notify) }
    @usableFromInline static var snapshot: IdentityBoundary { IdentityBoundary(.snapshot) }
    static var detachedTask: IdentityBoundary { IdentityBoundary(.detachedTask) }
    package static var sourceEvent: IdentityBoundary { IdentityBoundary(.sourceEvent) }
    package static var sourceCancel: IdentityBoundary { IdentityBoundary(.sourceCancel) }
    package static var sourceRegistration: IdentityBoundary { IdentityBoundary(.sourceRegistration) }
    package static var ioRead: IdentityBoundary { IdentityBoundary(.ioRead) }
    package static var ioWrite: IdentityBoundary { IdentityBoundary(.ioWrite) }
    package static var ioBarrier: IdentityBoundary { IdentityBoundary(.ioBarrier) }
    package static var operation: IdentityBoundary { IdentityBoundary(.operation) }
    package static var ioCleanup: IdentityBoundary { IdentityBoundary(.ioCleanup) }
    package static var dataDeallocator: IdentityBoundary { IdentityBoundary(.dataDeallocator) }
    static var cancellationHandler: IdentityBoundary { IdentityBoundary(.cancellationHandler) }
    static var streamTermination: IdentityBoundary { IdentityBoundary(.streamTermination) }
    static var cCallback: IdentityBoundary { IdentityBoundary(.cCallback) }
    static var asyncSequence: IdentityBoundary { IdentityBoundary(.asyncSequence) }
    static var task: IdentityBoundary { IdentityBoundary(.task) }
    static var fanIn: IdentityBoundary { IdentityBoundary(.fanIn) }
    static var priorityEscalation: IdentityBoundary { IdentityBoundary(.priorityEscalation) }
    static var observationTracking: IdentityBoundary { IdentityBoundary(.observationTracking) }
}

/// The table of boundary names by index; it only grows, up to 256.
private final class BoundaryNames: Sendable {
    static let shared = BoundaryNames()

    private let names = Locked(IdentityBoundary.Known.allCases.map(\.name))
    private static let other: UInt8 = .max

    var count: UInt8 { names.withLock { UInt8($0.count) } }

    func index(of name: String) -> UInt8 {
        names.withLock { names in
            if let index = names.firstIndex(of: name) { return UInt8(index) }
            guard names.count < Int(Self.other) else { return Self.other }
            names.append(name)
            return UInt8(names.count - 1)
        }
    }

    func name(at index: UInt8) -> String {
        names.withLock { $0.indices.contains(Int(index)) ? $0[Int(index)] : "other" }
    }
}
