import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import { findPastLeft } from "../../src/ingest/past-left.ts";
import type { Ingest } from "../../src/ingest/schedule.ts";
import { gatherHistory } from "../../src/main/gather-history.ts";
import { RecordsError } from "../../src/records/records-error.ts";
import { openTestRecords } from "../fixtures/worker-records.ts";

const quiet = pino({ level: "warn" }, new Writable({ write: (_chunk, _encoding, done) => done() }));

/** Streams whose control records are busy for the first `busy` reads. */
function busyIngest(busy: number) {
  const requested: string[] = [];
  let looks = 0;
  const ingest = {
    status: async () => {
      looks += 1;
      if (looks <= busy) throw new RecordsError("busy", "the control records were busy for 10 s");
      return { streams: [{ name: "trades", state: "running" }] };
    },
    pastLeft: async (_name: string, wish: unknown) => [wish],
    backfill: async (name: string) => {
      requested.push(name);
      return { isFinished: false };
    },
  } as unknown as Ingest;
  return { ingest, requested };
}

const serviceOf = (ingest: Ingest) => ({
  baseUrl: "http://127.0.0.1:1",
  ingest,
  engineEnded: new Promise<void>(() => {}),
  close: async () => undefined,
});

test("control records that are busy at the start delay the backfill, and do not end the service", async () => {
  const { ingest, requested } = busyIngest(2);
  await gatherHistory(serviceOf(ingest), 3_600_000, quiet, new AbortController().signal);
  expect(requested).toEqual(["trades"]);
});

test("ends without an error if stopped while the control records are busy", async () => {
  const { ingest, requested } = busyIngest(Number.POSITIVE_INFINITY);
  const stopping = new AbortController();
  const done = gatherHistory(serviceOf(ingest), 3_600_000, quiet, stopping.signal);
  stopping.abort(new Error("the service stops"));
  await done;
  expect(requested).toEqual([]);
});

const at = (hour: number): string => new Date(Date.UTC(2026, 10, 20, hour)).toISOString();
const part = (from: number, to: number) => ({ from: at(from), to: at(to) });

test("a later start resumes the interrupted walk, and requests again only what is not stored", async () => {
  const records = await openTestRecords();
  const { db } = records;
  const pastLeft = (wish: ReturnType<typeof part>) => findPastLeft(db, "trades", wish);
  const walk = (from: number, to: number, more: object = {}) =>
    db
      .insertInto("backfills")
      .values({ stream: "trades", range_from: at(from), range_to: at(to), ...more })
      .execute();
  try {
    expect(await pastLeft(part(0, 24))).toEqual([part(0, 24)]);
    await walk(-1, 9, { rows_stored: 5 });
    await walk(0, 10);
    await walk(4, 12, { finished_at: at(13), for_gaps: true });
    // An operator's own walk over years: not part of the requested history, but what it walked is stored.
    await walk(-9000, 16, { reached: at(2), rows_stored: 900 });
    await walk(10, 12, { finished_at: at(13) });
    const wish = part(0, 24);
    expect(await pastLeft(wish)).toEqual([part(12, 24), part(9, 10), part(-1, 9)]);
    await db
      .insertInto("streams")
      .values({ name: "trades", since: at(14), reached: at(20) })
      .execute();
    expect(await pastLeft(wish)).toEqual([part(12, 14), part(9, 10), part(-1, 9)]);
    await db
      .updateTable("backfills")
      .set({ finished_at: at(21) })
      .where("for_gaps", "=", false)
      .execute();
    expect(await pastLeft(wish)).toEqual([]);
  } finally {
    await records.close();
  }
});

test("walks the remaining parts one by one until one of them is interrupted", async () => {
  const left = [1, 2, 3].map((day) => ({ from: `2026-11-0${day}`, to: `2026-11-0${day + 1}` }));
  const requested: unknown[] = [];
  const ingest = {
    status: async () => ({ streams: [{ name: "trades", state: "running" }] }),
    pastLeft: async () => left,
    backfill: async (_name: string, range: unknown) => {
      requested.push(range);
      return { isFinished: requested.length < 2, rows: 0 };
    },
  } as unknown as Ingest;
  await gatherHistory(serviceOf(ingest), 3_600_000, quiet, new AbortController().signal);
  expect(requested).toEqual(left.slice(0, 2));
});

test("walks what is left before the live stream, even if that began before the backfill's end", async () => {
  const requested: { from: string; to: string }[] = [];
  const since = new Date(Date.now() - 10_000).toISOString();
  const ingest = {
    status: async () => ({ streams: [{ name: "trades", state: "running", since }] }),
    pastLeft: async (_name: string, wish: unknown) => [wish],
    backfill: async (_name: string, range: { from: string; to: string }) => {
      requested.push(range);
      return { isFinished: requested.length < 2, rows: 0 };
    },
  } as unknown as Ingest;
  await gatherHistory(serviceOf(ingest), 3_600_000, quiet, new AbortController().signal);
  expect(requested).toEqual([expect.anything(), { from: requested[0]?.from, to: since }]);
});
