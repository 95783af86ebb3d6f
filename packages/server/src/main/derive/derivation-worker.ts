// A thread that makes rows of derivations: see derivation-threads.ts.
import { parentPort } from "node:worker_threads";
import { createBirpc } from "birpc";
import { dayDerivations, derivations } from "../../catalogue.ts";
import type { ReadBytes, ReadRows } from "../../definition/day-derivation.ts";
import type { DerivationMemory } from "../../definition/derivation.ts";
import { isPacked, type PackedRows } from "../../definition/packed-rows.ts";
import type { InsertRow } from "../../definition/table.ts";
import { postMoving } from "../../serving/feed/thread/post-moving.ts";
import type { Asked, MainCalls, ThreadCalls } from "./thread-calls.ts";

type Made = AsyncIterator<readonly InsertRow[] | PackedRows>;

const port = parentPort;
if (port === null) throw new TypeError("this is a thread of a service");
const runs = new Map<number, Made>();
const memory: DerivationMemory = new Map();

function rowsOf(asked: Asked, read: ReadRows, readBytes: ReadBytes): AsyncIterable<readonly InsertRow[] | PackedRows> {
  if (asked.kind === "days") {
    const found = dayDerivations.find(({ name }) => name === asked.name);
    if (found && "rowsOfSlice" in found) return found.rowsOfSlice(asked.days, asked.slice, readBytes);
  } else {
    const found = derivations.find(({ name }) => name === asked.name);
    if (found?.rows) return found.rows(asked.rebuild, { read, readBytes, memory });
  }
  throw new TypeError(`${asked.name} makes no rows in TypeScript`);
}

const calls: ThreadCalls = {
  begin: (run, asked) => {
    const read: ReadRows = async (statement) => (await main.rows(run, statement)) as never;
    const readBytes: ReadBytes = (statement, format) => main.read(run, statement, format);
    runs.set(run, rowsOf(asked, read, readBytes)[Symbol.asyncIterator]());
  },
  next: async (run) => {
    const { done, value } = (await runs.get(run)?.next()) ?? { done: true };
    if (done === true || value === undefined) return undefined;
    if (!isPacked(value)) return { plain: value };
    // Bytes of its own: the writer may use its again.
    return { bytes: new Uint8Array(value.bytes), starts: value.starts };
  },
  stop: async (run) => {
    await runs.get(run)?.return?.();
    runs.delete(run);
  },
};

const main = createBirpc<MainCalls, ThreadCalls>(calls, {
  post: (message: unknown) => postMoving(port, message),
  on: (listener) => port.on("message", listener),
  timeout: -1,
});
