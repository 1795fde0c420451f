// What Node's AsyncLocalStorage costs a hop: setImmediate callbacks, enqueued in bulk and then run, with a store and
// without. Prints nanoseconds a hop for each block, as JSON.
//
// Each way has a process of its own, since a storage that was entered once makes later callbacks of the same process
// dearer, too; the caller alternates them.
import { AsyncLocalStorage } from "node:async_hooks";

const [way, blocks, hops] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const storage = new AsyncLocalStorage();
const user = { name: "ada@contoso.com" };
let counter = 0;

function step() {
  counter += 1;
}

function carriedStep() {
  if (storage.getStore() !== user) throw new Error("The store was lost.");
  counter += 1;
}

function block(callback) {
  return new Promise((resolve) => {
    const start = process.hrtime.bigint();
    for (let hop = 0; hop < hops; hop += 1) setImmediate(callback);
    setImmediate(() => resolve(Number(process.hrtime.bigint() - start) / hops));
  });
}

async function all(callback) {
  const figures = [];
  for (let index = 0; index < blocks + 3; index += 1) figures.push(await block(callback));
  return figures.slice(3); // the first ones warm up
}

const figures = way === "raw" ? await all(step) : await storage.run(user, () => all(carriedStep));
console.log(JSON.stringify({ version: `Node ${process.version}`, way, figures }));
