#if os(Linux)
import CMultiIdentity
import CMultiIdentityAutomaticMode
import Glibc
public import MultiIdentity

/// A place whose plain hops would have lost an identity without automatic mode, or that read the identity where none was bound.
///
/// It shows which calls to change, or to leave to automatic mode, the most frequent first:
///
/// ```swift
/// PlainHop.areRecorded = true
/// …
/// print(PlainHop.report)
/// ```
///
/// `MULTI_IDENTITY_PLAIN_HOPS=on` in the environment records from the start, and prints the report to standard error at exit;
/// `usr1` or `usr2` also when that signal arrives.
public struct PlainHop: Hashable, Sendable {
    /// The boundary that the call crosses; `nil` for code that read the identity where none was bound.
    public let boundary: IdentityBoundary?
    /// The label of the queue, or of the one that ran that code; `nil` if it has none, or there is no queue.
    public let label: String?
    /// The file name of the program or library that made the call.
    public let image: String
    /// The function that made the call or read the identity or, if the image does not name it, the address in the image.
    public let symbol: String
    /// Indicates whether that function called Foundation, which called Dispatch.
    public let isThroughFoundation: Bool
    /// The number of hops, or of those reads; a work item and a handler hop when they are made or set.
    public let count: UInt64
    /// The number of times that work behind these hops read the identity, also in tasks and behind further hops.
    public let reads: UInt64

    /// Indicates whether plain hops are recorded; `false` by default, which costs nothing.
    ///
    /// If it is on, each hop that carries something walks a part of the stack, and takes memory: some 17 times the instructions.
    public static var areRecorded: Bool {
        get { BindingFeatures.inUse.contains(.plainHops) }
        set { BindingFeatures.set(.plainHops, to: newValue) }
    }

    /// The places that hopped since the process or its `fork` began, the most frequent first.
    ///
    /// There are at most 4,096; ``unlisted`` counts the others' hops.
    ///
    /// - Complexity: O(*places* × *symbols of an image*).
    public static var all: [PlainHop] {
        rows.filter { $0.caller != nil }.compactMap(PlainHop.init).sorted { one, other in
            (other.count, one.symbol, one.label ?? "") < (one.count, other.symbol, other.label ?? "")
        }
    }

    /// The number of hops at places for which there was no more room.
    public static var unlisted: UInt64 { rows.first { $0.caller == nil }?.hops ?? 0 }

    /// All places, one line each, for people.
    public static var report: String {
        let (all, unlisted) = (all, unlisted)
        if all.isEmpty {
            if AutomaticMode.status != .active { return "no plain hop is recorded: automatic mode is not active" }
            return areRecorded ? "no plain hop carried an identity" : "plain hops are not recorded"
        }
        let rest = "\(unlisted) × at other places: there is room for \(all.count)"
        return (all.map(\.description) + (unlisted > 0 ? [rest] : [])).joined(separator: "\n")
    }

    /// What hopped; the row without a caller counts the places beyond the limit.
    private static var rows: [mi_plain_hop] {
        (0..<mi_plain_hop_rows()).map(mi_plain_hop_row).filter { $0.hops > 0 }
    }

    private init?(_ row: mi_plain_hop) {
        guard let caller = row.caller else { return nil }
        // The instruction before the one that the call returns to.
        let found = mi_symbol_at(UInt(bitPattern: caller) - 1)
        defer { mi_symbol_free(found) }
        image = String(cString: found.image)
        symbol = found.text.map { String(cString: $0) } ?? ""
        boundary = row.boundary == mi_no_boundary ? nil : AutomaticModeHooks.boundaries[row.boundary]
        let label = Self.text(row.label)
        self.label = label.isEmpty ? nil : label
        (isThroughFoundation, count, reads) = (row.is_through_foundation, row.hops, row.reads)
    }

    /// The text in an array of C.
    private static func text(_ characters: some BitwiseCopyable) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Applies the setting in the environment.
    static func start(_ asked: String) {
        let signals = ["on": 0, "usr1": SIGUSR1, "usr2": SIGUSR2]
        if asked.isEmpty || asked == "off" { return }
        guard let signal = signals[asked] else {
            let known = "on, usr1, usr2 and off"
            return StandardError.print("MULTI_IDENTITY_PLAIN_HOPS is \(asked.debugDescription); it can be \(known)")
        }
        areRecorded = true
        mi_plain_hops_print({ StandardError.print("plain hops of process \(getpid()):\n\(PlainHop.report)") }, signal)
    }
}

extension PlainHop: CustomStringConvertible {
    /// `1200 × async on "mail", read 3 ×, by App.send() -> () in app`.
    public var description: String {
        let place = (boundary?.name ?? "read") + (label.map { " on \(EscapedText($0).quoted)" } ?? "")
        let reading = boundary == nil ? "nothing bound" : reads == 0 ? "not read" : "read \(reads) ×"
        let way = isThroughFoundation ? ", through Foundation" : ""
        return "\(count) × \(place), \(reading), by \(symbol) in \(image)\(way)"
    }
}
#endif
