/// A task-local of objects that cross boundaries as long as other code retains them.
final class WeakCompanion<Object: AnyObject & Sendable>: CompanionLocal {
    private struct Reference { weak var object: Object? }

    private let strong: Companion<Object?>

    init(_ local: TaskLocal<Object?>) { strong = Companion(local) }

    var key: UnsafeRawPointer { strong.key }
    var type: UnsafeRawPointer { strong.type }
    var size: Int { MemoryLayout<Reference>.size }
    var alignment: Int { MemoryLayout<Reference>.alignment }
    var name: String { strong.name }
    var isKept: Bool { false }
    var isBytes: Bool { false }
    var placeOfDefault: UnsafeRawPointer? { nil }

    func copy(_ place: UnsafeRawPointer?, to memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(as: Reference.self, to: Reference(object: strong.value(at: place)))
    }

    func destroy(at memory: UnsafeMutableRawPointer) {
        memory.assumingMemoryBound(to: Reference.self).deinitialize(count: 1)
    }

    func push(copyOf memory: UnsafeRawPointer) { strong.push(object(memory)) }

    func pushDefault() -> Bool { strong.pushDefault() }

    func bind(
        copyOf memory: UnsafeRawPointer,
        isolation: isolated (any Actor)?,
        _ body: nonisolated(nonsending) () async -> Void
    ) async {
        await strong.bind(object(memory), isolation: isolation, body)
    }

    private func object(_ memory: UnsafeRawPointer) -> Object? {
        memory.assumingMemoryBound(to: Reference.self).pointee.object
    }
}
