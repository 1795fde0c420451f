import CMultiIdentity

/// Finds where this runtime keeps the list of all that is bound, with bindings that this makes and ends on this thread.
///
/// Each property of the list that reading it depends on is seen once: where it begins in a task and on a thread, where an item
/// has its key, its type and the item beneath it, and the three kinds of items that a search passes.
enum BoundListTrial {
    /// True if the list is known; the first call is the trial.
    static let hasPassed: Bool = {
        _ = IdentitySnapshot.bound
        guard !mi_trials_fail(), !mi_bindings_are_copied(), let key = mi_bound_key_known(), mi_bound_key_lasts(key),
            #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
        else { return false }
        let found = Locked<mi_bound_list?>(nil)
        // They run on this thread until they suspend, and these never do.
        _ = Task.immediateDetached {
            let list = await tryInTask()
            found.withLock { $0 = list }
        }
        guard let list = found.withLock({ $0 }) else { return false }
        mi_bound_list_make_known(list, mi_bound_seek_on_threads())
        return true
    }()

    @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
    private static func tryInTask() async -> mi_bound_list? {
        let offset = mi_bound_seek_in_task()
        guard offset > 0 else { return nil }
        let kinds = Locked<(value: UInt8, inGroup: UInt8, parent: UInt8)?>(nil)
        await IdentitySnapshot.bound.withValue(.nothing) {
            guard let outer = item(offset), mi_bound_is_own_item(outer), mi_bound_next(outer) == nil else { return }
            let value = mi_bound_kind(outer)
            await withTaskGroup { group in
                let inGroup = IdentitySnapshot.bound.withValue(.nothing) {
                    item(offset).flatMap {
                        mi_bound_is_own_item($0) && mi_bound_next($0) == outer ? mi_bound_kind($0) : nil
                    }
                }
                let address = UInt(bitPattern: outer)
                group.addImmediateTask {
                    let parent = IdentitySnapshot.bound.withValue(.nothing) { () -> UInt8? in
                        guard let own = item(offset), mi_bound_is_own_item(own), mi_bound_kind(own) == value,
                            let mark = mi_bound_next(own), UInt(bitPattern: mi_bound_next(mark)) == address
                        else { return nil }
                        return mi_bound_kind(mark)
                    }
                    guard let inGroup, let parent else { return }
                    kinds.withLock { $0 = (value, inGroup, parent) }
                }
            }
        }
        guard let kinds = kinds.withLock({ $0 }), ![kinds.value, kinds.inGroup].contains(kinds.parent)
        else { return nil }
        var list = mi_bound_list()
        (list.value, list.in_group, list.parent, list.in_task) = (kinds.value, kinds.inGroup, kinds.parent, offset)
        list.type_of_task = UnsafePointer<UInt>(bitPattern: mi_task_current())?.pointee ?? 0
        return list
    }

    /// The innermost item of the task that runs here.
    private static func item(_ offset: UInt32) -> UnsafePointer<mi_bound_item>? {
        let task = UnsafeRawPointer(bitPattern: mi_task_current())
        return task?.load(fromByteOffset: Int(offset), as: UnsafePointer<mi_bound_item>?.self)
    }
}
