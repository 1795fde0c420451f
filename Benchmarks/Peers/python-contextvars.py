"""What Python's contextvars cost a hop: calls put into a queue in bulk, and then taken out and made, with a copied context
and without. Prints nanoseconds a hop for each block, as JSON. Each way has a process of its own, as with the other peers.
"""
import contextvars, functools, json, platform, queue, sys, time

way, blocks, hops = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
user = contextvars.ContextVar("user", default=None)
calls = queue.SimpleQueue()
counter = 0


def step():
    global counter
    counter += 1


def carried_step():
    global counter
    if user.get() is None:
        raise RuntimeError("The context was lost.")
    counter += 1


def block():
    start = time.perf_counter_ns()
    if way == "raw":
        for _ in range(hops):
            calls.put(step)
    else:
        for _ in range(hops):
            calls.put(functools.partial(contextvars.copy_context().run, carried_step))
    for _ in range(hops):
        calls.get()()
    return (time.perf_counter_ns() - start) / hops


user.set("ada@contoso.com")
figures = [block() for _ in range(blocks + 3)][3:]  # the first ones warm up
print(json.dumps({"version": f"Python {platform.python_version()}", "way": way, "figures": figures}))
