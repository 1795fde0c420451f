/// A first-in, first-out queue on an array.
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
        // Removed elements are dropped once they are the larger part, so each element is moved at most once.
        if start * 2 >= elements.count {
            elements.removeSubrange(..<start)
            start = 0
        }
        return element
    }

    /// Removes and returns the last element.
    mutating func popLast() -> Element? { isEmpty ? nil : elements.removeLast() }

    /// Removes all elements that meet a condition.
    mutating func removeAll(where isOut: (Element) -> Bool) {
        elements.removeSubrange(..<start)
        start = 0
        elements.removeAll(where: isOut)
    }

    /// Removes and returns all elements, in order.
    mutating func removeAll() -> [Element] {
        defer { (elements, start) = ([], 0) }
        return Array(elements[start...])
    }
}

extension Queue: Sendable where Element: Sendable {}
