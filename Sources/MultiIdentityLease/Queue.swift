/// A queue in plain order, as an array that is taken from at its front.
struct Queue<Element> {
    private var elements: [Element] = []
    private var start = 0

    var count: Int { elements.count - start }
    var isEmpty: Bool { start == elements.count }
    var first: Element? { isEmpty ? nil : elements[start] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[start]
        start += 1
        // The front that was taken goes once it is the larger part, so that each element is moved once at most.
        if start * 2 >= elements.count {
            elements.removeSubrange(..<start)
            start = 0
        }
        return element
    }

    /// Takes the one that came last.
    mutating func popLast() -> Element? { isEmpty ? nil : elements.removeLast() }

    /// Takes all that fulfil a condition.
    mutating func removeAll(where isOut: (Element) -> Bool) {
        elements.removeSubrange(..<start)
        start = 0
        elements.removeAll(where: isOut)
    }

    /// Takes all, in order.
    mutating func removeAll() -> [Element] {
        defer { (elements, start) = ([], 0) }
        return Array(elements[start...])
    }
}

extension Queue: Sendable where Element: Sendable {}
