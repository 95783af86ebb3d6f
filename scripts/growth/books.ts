import { createHash } from "node:crypto";
import type { InsertRow } from "../../packages/server/src/definition/table.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { bookEvents } from "../../packages/server/src/tables/book-events.ts";
import { engineEvents } from "./engine-events.ts";
import { inNewStore } from "./in-new-store.ts";
import { tableCosts, type TableCost } from "./table-costs.ts";

export type BookOptions = {
  readonly folder: string;
  /** Runs: so many rows, so many of them in one insert. */
  readonly runs: readonly { readonly rows: number; readonly batch: number }[];
  readonly migrations: string;
};

export type BookSize = {
  readonly batch: number;
  readonly rows: number;
  /** Of this run: made rows are not in it. */
  readonly service_cpu_us_a_row: number;
  readonly engine_cpu_us_a_row: number;
  readonly table: TableCost;
};

const INSTRUMENTS = 4_000;
const CHECKPOINT = 300;
const LEVELS = 30;

/** Stores made-up changes of books as the streams do, in batches, and says what one takes. */
export async function growBooks({ folder, runs, migrations }: BookOptions): Promise<readonly BookSize[]> {
  return await inNewStore({ folder, migrations }, async (store) => {
    const sizes: BookSize[] = [];
    let turn = 0;
    for (const { rows, batch } of runs) {
      sizes.push(await grow(store, batch, rows, turn));
      turn += rows;
      process.stderr.write(`${JSON.stringify(sizes.at(-1))}\n`);
    }
    return sizes;
  });
}

async function grow(store: OpenStore, batch: number, changes: number, first: number): Promise<BookSize> {
  const before = await engineEvents(store);
  let service = 0;
  for (let at = first; at < first + changes; at += batch) {
    const rows = Array.from({ length: Math.min(batch, first + changes - at) }, (_, index) => bookRow(at + index));
    const began = process.cpuUsage();
    await store.insert(bookEvents, rows);
    const used = process.cpuUsage(began);
    service += used.user + used.system;
  }
  const after = await engineEvents(store);
  const table = (await tableCosts(store)).find((one) => one.table === "book_events");
  if (table === undefined) throw new Error("nothing was stored");
  return {
    batch,
    rows: first + changes,
    service_cpu_us_a_row: service / changes,
    engine_cpu_us_a_row: (after.cpu_us - before.cpu_us) / changes,
    table,
  };
}

const START_MS = Date.UTC(2026, 9, 5);

/** A change of one or two levels with the venue's hash of the book; every few hundred of an instrument a whole book. */
function bookRow(turn: number): InsertRow {
  const hash = createHash("sha1").update(String(turn)).digest();
  // Few instruments have most of the changes.
  const which = Math.floor(INSTRUMENTS * (hash.readUInt32LE(0) / 2 ** 32) ** 3);
  const isState = hash.readUInt16LE(4) % CHECKPOINT === 0;
  const middle = 20 + (which % 60);
  const level = (step: number, side: 1 | -1): [string, string] => [
    ((middle + side * step) / 100).toFixed(2),
    ((hash.readUInt32LE(8) % 2_000_000) / 100 + step).toFixed(2),
  ];
  const levels = (side: 1 | -1): [string, string][] => {
    if (isState) return Array.from({ length: LEVELS }, (_, step) => level(step * 0.5 + 1, side));
    const touches = (hash[12] ?? 0) % 4;
    return touches === (side === 1 ? 0 : 1) ? [] : [level(1 + ((hash[13] ?? 0) % 12), side)];
  };
  return {
    instrument: String(10n ** 70n + BigInt(which)),
    ts: new Date(START_MS + turn * 5).toISOString(),
    seq: 0,
    kind: isState ? "snapshot" : "change",
    venue: "polymarket",
    bids: levels(-1),
    asks: levels(1),
    best_bid: ((middle - 1) / 100).toFixed(2),
    best_ask: ((middle + 1) / 100).toFixed(2),
    hash: hash.toString("hex"),
  };
}
