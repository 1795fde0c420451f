/// The numbers that a schedule is drawn with: the same seed gives the same ones on every machine.
struct ScheduleDice {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// A number from 1 up to `bound`, which is far below 2^32: the bias of the remainder does not matter here.
    mutating func number(upTo bound: Int) -> Int { Int(generator.next() >> 32) % bound + 1 }

    mutating func one<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(upTo: elements.count) - 1]
    }
}
