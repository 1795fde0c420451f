import Dispatch
import NIOCore
import NIOPosix

extension LibraryCase {
    /// swift-nio: what blocks goes to a queue of Dispatch, all else to threads of its own.
    static let nio: [LibraryCase] = [
        LibraryCase("swift-nio: DispatchQueue.asyncWithFuture(eventLoop:)") { work in
            DispatchQueue(label: "blocking").asyncWithFuture(eventLoop: loop) { work() }
        },
        LibraryCase("swift-nio: EventLoop.execute", outOfReach: "a thread of its own") { work in
            loop.execute(work)
            return nil
        },
        LibraryCase("swift-nio: EventLoopFuture.whenComplete", outOfReach: "a thread of its own") { work in
            loop.makeSucceededVoidFuture().whenComplete { _ in work() }
            return nil
        },
        LibraryCase("swift-nio: NIOThreadPool.submit", outOfReach: "threads of its own") { work in
            NIOThreadPool.singleton.submit { _ in work() }
            return nil
        },
        LibraryCase(
            "swift-nio: EventLoopFuture.whenSuccessBlocking(onto:)",
            outOfReach: "the loop's thread dispatches, not its caller's"
        ) { work in
            loop.makeSucceededVoidFuture().whenSuccessBlocking(onto: DispatchQueue(label: "blocking")) { work() }
            return nil
        },
    ]

    private static var loop: any EventLoop { MultiThreadedEventLoopGroup.singleton.any() }
}
