/// A queue from which any element can be removed in constant time.
struct LinkedQueue<Element> {
    fileprivate struct Node {
        var element: Element?
        var before = 0
        var after = 0
    }

    /// The first node contains no element; its successor is the first element, and its predecessor is the last.
    private var nodes = [Node()]
    private var free: [Int] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var first: Element? { nodes[nodes[0].after].element }

    var elements: [Element] {
        sequence(first: nodes[0].after) { nodes[$0].after }.lazy.map { nodes[$0].element }.prefix { $0 != nil }
            .compactMap(\.self)
    }

    /// Inserts an element at the end, or before the last elements that it must precede.
    ///
    /// - Returns: The place of the element until it is removed; never 0.
    mutating func append(_ element: Element, before precedes: (Element) -> Bool = { _ in false }) -> Int {
        var before = nodes[0].before
        while let other = nodes[before].element, precedes(other) { before = nodes[before].before }
        let node = Node(element: element, before: before, after: nodes[before].after)
        let place = free.popLast() ?? nodes.count
        if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
        nodes[node.after].before = place
        nodes[before].after = place
        count += 1
        return place
    }

    mutating func remove(at place: Int) {
        let node = nodes[place]
        nodes[node.before].after = node.after
        nodes[node.after].before = node.before
        nodes[place] = Node()
        free.append(place)
        count -= 1
        // Releases the memory of a long queue.
        if count == 0, nodes.count > 64 { self = LinkedQueue() }
    }
}

extension LinkedQueue: Sendable where Element: Sendable {}
extension LinkedQueue.Node: Sendable where Element: Sendable {}
