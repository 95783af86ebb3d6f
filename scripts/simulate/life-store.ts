import type { Address } from "../../packages/server/src/store/connection.ts";
import { openStore, type OpenStore } from "../../packages/server/src/store/open-store.ts";
import type { TableDefinition } from "../../packages/server/src/definition/table.ts";
import type { Taken } from "../../packages/server/src/store/store.ts";
import { StoreError } from "../../packages/server/src/store/statement.ts";
import type { LifeThread } from "./life-thread.ts";
import type { MachineMood } from "./machine-mood.ts";
import type { SimClock } from "./sim-clock.ts";

/** Latency of an engine call, in simulated ms. */
const ENGINE_MS = 3;
const WAITED_FOR = [
  "read",
  "rows",
  "run",
  "alter",
  "insert",
  "mend",
  "append",
  "appendChosen",
  "load",
  "reload",
] as const;

/** These calls are serialised per table. */
const QUEUED: ReadonlySet<string> = new Set(["insert", "mend", "load"]);

type LifeOfStore = {
  readonly clock: SimClock;
  readonly thread: LifeThread;
  readonly mood: MachineMood;
  /** Its write token: higher than that of the previous process, whose unfinished writes it removes. */
  readonly number: number;
  /** The engine counts as the service's own, like an embedded one; else as a server with other writers. */
  readonly hasOwnEngine: boolean;
};

/** The engine of one service process: as used by its streams and derivations, and by its serving indexes. */
export type LifeStore = { readonly store: OpenStore; readonly ofIndexes: OpenStore };

/**
 * The column engine as one process of the service sees it: each call is a step of its thread, and so is each writing
 * statement. A full disk refuses statements one by one, so that batches may be half stored.
 */
export async function openLifeStore(
  address: Address,
  { clock, thread, mood, number, hasOwnEngine }: LifeOfStore,
): Promise<LifeStore> {
  const store = await openStore({ address, isOwn: hasOwnEngine });
  await store.beginWriting({
    token: number,
    check: () => {
      if (!thread.count("a statement")) throw new StoreError("absent", 0, "the process was killed");
      if (mood.isFull()) throw new StoreError("disk_full", 243, "the simulated disk is full");
    },
  });
  /** By table: a replacement waits for simulated time midway, and calls queued behind it must not pause that time. */
  const replacing = new Map<string, Promise<unknown>>();
  const behindReplacements =
    <Given extends readonly [TableDefinition, ...unknown[]], T>(call: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      for (let before = replacing.get(given[0].name); before; before = replacing.get(given[0].name))
        await before.catch(() => undefined);
      return call(...given);
    };
  const calls = Object.fromEntries(
    WAITED_FOR.map((name) => {
      const call = store[name] as (...given: unknown[]) => Promise<unknown>;
      const run = (...given: [TableDefinition, ...unknown[]]) => thread.over(name, ENGINE_MS, () => call(...given));
      return [name, QUEUED.has(name) ? behindReplacements(run) : run];
    }),
  ) as unknown as Pick<OpenStore, (typeof WAITED_FOR)[number]>;
  const whole: OpenStore = {
    ...store,
    ...calls,
    address,
    replace: behindReplacements((table, rows, { scope, before }) => {
      const replacement = { scope, before: (taken: Taken) => clock.aside(() => before(taken)) };
      const replaced = thread.over("replace", ENGINE_MS, () => store.replace(table, rows, replacement));
      replacing.set(table.name, replaced);
      return replaced.finally(() => replacing.delete(table.name));
    }),
  };
  // The indexes' thread is real, and must not affect the run's order of events.
  const ofIndexes: OpenStore = {
    ...store,
    address,
    read: (...given) => clock.working(() => store.read(...given)),
    rows: (...given) => clock.working(() => store.rows(...given)),
  };
  return { store: whole, ofIndexes };
}
