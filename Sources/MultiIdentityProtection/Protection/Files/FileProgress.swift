/// Called, again and again, with how many bytes of a file have been read and how many there are; on the working thread.
public typealias FileProgress = (_ done: UInt64, _ total: UInt64) -> Void
