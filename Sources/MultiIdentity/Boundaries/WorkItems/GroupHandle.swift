import Dispatch

#if os(Linux)
import CDispatch

/// The C handle of a dispatch group.
///
/// `@unchecked Sendable`: as for ``QueueHandle``; its maker retains the `DispatchGroup` until it is handed on.
struct GroupHandle: @unchecked Sendable {
    let group: OpaquePointer

    init?(of group: DispatchGroup) {
        guard let handle = Self.handle else { return nil }
        self.group = handle.read(from: group)
    }

    private static let handle = DispatchHandle(in: DispatchGroup.self) { handle in
        let trial = DispatchGroup()
        trial.enter()
        let isBusy = dispatch_group_wait(handle.read(from: trial), UInt64(DISPATCH_TIME_NOW)) != 0
        trial.leave()
        return isBusy && dispatch_group_wait(handle.read(from: trial), UInt64(DISPATCH_TIME_NOW)) == 0
    }
}
#else
/// The C handle of a dispatch group: only Linux has one.
enum GroupHandle: Sendable {
    init?(of group: DispatchGroup) { return nil }
}
#endif
