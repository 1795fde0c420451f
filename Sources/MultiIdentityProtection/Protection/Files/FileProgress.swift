/// Told, again and again, how many bytes of a file have been read and how many there are; on the thread that works.
public typealias FileProgress = (_ done: UInt64, _ total: UInt64) -> Void
