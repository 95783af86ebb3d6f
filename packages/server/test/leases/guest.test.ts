import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/ingest/clock.ts";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";
import { becomeGuest, findGuests, type GuestOptions } from "../../src/ingest/leases/guest.ts";
import { LeaseKeeper } from "../../src/ingest/leases/keep-leases.ts";
import type { Lease } from "../../src/ingest/leases/lease.ts";
import { watchGuests, WATCH_SECONDS } from "../../src/ingest/leases/watch-guests.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../records/start-postgres.ts";

const found = findPostgres();
const reason = "reason" in found ? ` (left out: ${found.reason})` : "";
const SECONDS = 1;
const log = pino({ level: "silent" });
const monotonicMs = (): number => performance.now();

describe.skipIf("reason" in found)(`guests beside owners${reason}`, () => {
  let postgres: TestPostgres;
  let records: Records;
  let keepers: LeaseKeeper[] = [];
  beforeAll(async () => {
    postgres = await startPostgres("bin" in found ? found.bin : "");
    records = await openRecords({ url: await postgres.newDatabase() });
  });
  afterEach(async () => {
    await Promise.all(keepers.map((keeper) => keeper.end()));
    keepers = [];
  });
  afterAll(async () => {
    await records.close();
    await postgres.stop();
  });

  const guest = (change: Partial<GuestOptions> = {}) =>
    becomeGuest({
      db: records.db,
      id: "guest",
      label: "a command",
      seconds: SECONDS,
      clock: systemClock,
      monotonicMs,
      log,
      signal: new AbortController().signal,
      ...change,
    });

  /** A process that owns one piece of work, and its lease once it has it. */
  async function own(name: string): Promise<Lease> {
    const taken = Promise.withResolvers<Lease>();
    const run = async (lease: Lease): Promise<void> => {
      taken.resolve(lease);
      await new Promise((resolve) => lease.signal.addEventListener("abort", resolve));
    };
    const keeper = new LeaseKeeper([{ name, kind: "streams", leases: [name], run }], {
      db: records.db,
      sharer: { id: name, label: name, role: "ingest" },
      seconds: SECONDS,
      clock: systemClock,
      monotonicMs,
      log,
      metrics: createIngestMetrics(new Registry()),
    });
    keepers.push(keeper);
    return await taken.promise;
  }

  test("an owner knows of a guest before it may write, and takes no notice once it left", async () => {
    const lease = await own("one");
    expect(lease.hasGuests()).toBe(false);
    const command = await guest();
    expect(lease.hasGuests()).toBe(true);
    command.fence.check();
    await command.leave();
    await expect.poll(() => lease.hasGuests(), { timeout: 5000 }).toBe(false);
  });

  test("who becomes an owner beside a guest knows of it from the start", async () => {
    const command = await guest();
    const lease = await own("two");
    expect(lease.hasGuests()).toBe(true);
    await command.leave();
  });

  test("a guest that cannot reach the records writes nothing any more; where it was killed it is forgotten", async () => {
    const lease = await own("three");
    const lost = openLosable(records);
    const command = await guest({ db: lost.db });
    lost.lose();
    await expect.poll(() => isRefused(command.fence.check), { timeout: 5000 }).toBe(true);
    await expect.poll(() => lease.hasGuests(), { timeout: 5000 }).toBe(false);
    expect(await findGuests(records.db)).toBe(false);
    lost.find();
    await command.sure();
    expect(lease.hasGuests()).toBe(true);
    await command.leave();
  });

  test("a command that is told to end while it waits leaves nothing behind", async () => {
    const lease = await own("four");
    const stop = new AbortController();
    const waiting = guest({ signal: stop.signal });
    setTimeout(() => stop.abort(new Error("Ctrl-C")), 100);
    await expect(waiting).rejects.toThrow("Ctrl-C");
    expect(await findGuests(records.db)).toBe(false);
    await expect.poll(() => lease.hasGuests(), { timeout: 5000 }).toBe(false);
  });
});

test("who gathers alone, on embedded records, knows of a guest before it may write", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-guest-"));
  const stop = new AbortController();
  const records = await openRecords({ dataDir: folder });
  // A command comes in by the door of the process that has the records open.
  const command = await openRecords({ dataDir: folder });
  try {
    const hasGuests = watchGuests({ db: records.db, clock: systemClock, monotonicMs, log, signal: stop.signal });
    expect(hasGuests()).toBe(true);
    await expect.poll(hasGuests).toBe(false);
    const guest = await becomeGuest({
      db: command.db,
      id: "guest",
      label: "a command",
      seconds: WATCH_SECONDS,
      aloneSeconds: WATCH_SECONDS,
      clock: systemClock,
      monotonicMs,
      log,
      signal: stop.signal,
    });
    expect(hasGuests()).toBe(true);
    await guest.leave();
    await expect.poll(hasGuests, { timeout: 5000 }).toBe(false);
  } finally {
    stop.abort();
    await command.close();
    await records.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);

const isRefused = (check: () => void): boolean => {
  try {
    check();
    return false;
  } catch {
    return true;
  }
};

/** The same records, until they are lost. */
function openLosable({ db }: Records) {
  let isLost = false;
  const lossy = db.withPlugin({
    transformQuery: ({ node }) => {
      if (isLost) throw new Error("the records are away");
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  return { db: lossy, lose: () => void (isLost = true), find: () => void (isLost = false) };
}
