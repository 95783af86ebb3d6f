import { expect, test } from "vitest";
import { defineFold, type FoldReader } from "../../src/definition/fold.ts";
import { openCheckpoints } from "../../src/ingest/fold/checkpoints.ts";
import { workTouched, type FoldEngine } from "../../src/ingest/fold/fold-work.ts";

const [ANN, BOB] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`];
const CLOSED = "2026-05-31";
const keptAt = (day: string) => ({ day, state: Buffer.from(day) });

test("computes a key whose checkpoint was dropped while others were computed from its new start", async () => {
  const worked: string[] = [];
  const fold = defineFold({
    name: "counted",
    title: "Counted",
    from: [],
    into: [],
    key: "wallet",
    day: "day",
    form: 1,
    work: async (_read, { keys, from }) => {
      worked.push(...keys.map((key) => `${key.slice(0, 4)} ${from}`));
      return { rows: [], keys: keys.map((key) => ({ key, lastDay: CLOSED, eventsSince: 0, checkpoints: [] })) };
    },
    findUndone: async () => new Map(),
    findHolders: async () => new Map(),
    findRipe: async () => new Map(),
  });
  const checkpoints = openCheckpoints(fold);
  checkpoints.beginWhole();
  checkpoints.save("2026-05-03", [
    { key: BOB, lastDay: "2026-05-09", eventsSince: 0, checkpoints: [keptAt("2026-05-09")] },
  ]);
  const read: FoldReader = { rows: async () => [], bytes: async () => Buffer.alloc(0), memory: new Map() };
  const engine = { fold, read, checkpoints, store: {}, limits: { keys: 1, rows: 10 } } as unknown as FoldEngine;
  const touched = new Map([
    [ANN, "2026-05-01"],
    [BOB, "2026-05-10"],
  ]);
  const late = {
    isDue: () => worked.length === 1,
    run: async () =>
      checkpoints.save("2026-05-05", [{ key: BOB, lastDay: "2026-05-09", eventsSince: 0, checkpoints: [] }]),
  };
  await workTouched(engine, touched, CLOSED, new AbortController().signal, late);
  expect(worked).toEqual(["0xaa 2026-05-01", "0xbb 2026-05-03"]);
  checkpoints.close();
});
