import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { Ingest } from "../../src/ingest/schedule.ts";
import { gatherHistory } from "../../src/main/gather-history.ts";
import { RecordsError } from "../../src/records/records-error.ts";

const quiet = pino({ level: "warn" }, new Writable({ write: (_chunk, _encoding, done) => done() }));

/** Streams whose records are too busy to be asked the first times. */
function busyIngest(busy: number) {
  const asked: string[] = [];
  let looks = 0;
  const ingest = {
    status: async () => {
      looks += 1;
      if (looks <= busy) throw new RecordsError("busy", "the control records were busy for 10 s");
      return { streams: [{ name: "trades", state: "running" }] };
    },
    backfill: async (name: string) => {
      asked.push(name);
      return { isFinished: false };
    },
  } as unknown as Ingest;
  return { ingest, asked };
}

const serviceOf = (ingest: Ingest) => ({
  baseUrl: "http://127.0.0.1:1",
  ingest,
  engineEnded: new Promise<void>(() => {}),
  close: async () => undefined,
});

test("records that are busy at the start hold the past up, and do not end the service", async () => {
  const { ingest, asked } = busyIngest(2);
  await gatherHistory(serviceOf(ingest), 3_600_000, quiet, new AbortController().signal);
  expect(asked).toEqual(["trades"]);
});

test("told to stop while the records are busy, it ends without an error", async () => {
  const { ingest, asked } = busyIngest(Number.POSITIVE_INFINITY);
  const stopping = new AbortController();
  const done = gatherHistory(serviceOf(ingest), 3_600_000, quiet, stopping.signal);
  stopping.abort(new Error("the service stops"));
  await done;
  expect(asked).toEqual([]);
});
