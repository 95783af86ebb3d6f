import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { definePull, type Batch, type Connector } from "../../../src/definition/connector.ts";
import { createCoverage } from "../../../src/ingest/coverage/coverage.ts";
import { createHeld } from "../../../src/ingest/coverage/held-spans.ts";
import { saveSwept } from "../../../src/ingest/control/retention-record.ts";
import { unmatchedSweep } from "../../../src/derivations/social-retention/drop-unmatched.ts";
import { socialPosts } from "../../../src/tables/social-posts.ts";
import { openEngines } from "../../ingest/open-engines.ts";
import { withoutWaits } from "../../ingest/clocks.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const timestamp = (minutes: number): Date => new Date(NOW + minutes * 60_000);
const span = (from: number, to: number) => ({ from: NOW + from * 60_000, to: NOW + to * 60_000 });

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(async () => engines.close());
beforeEach(async () => {
  for (const name of ["streams", "backfills", "gaps", "retention"] as const)
    await engines.db.deleteFrom(name).execute();
});

async function* none(): AsyncGenerator<Batch, void, void> {}
const stream = (name: string, venue: "bluesky" | "hackernews" | "x", more: object = {}): Connector =>
  definePull({
    name,
    title: `Stream ${name}`,
    venue,
    host: { name: "venue", setting: "URL", limits: {}, share: 1 },
    tables: [socialPosts],
    everySeconds: 10,
    canBackfill: true,
    pull: none,
    ...more,
  });

const clock = withoutWaits(() => NOW);
const heldBy = (connectors: readonly Connector[]) =>
  createHeld({ connectors, makers: [], db: engines.db, clock, venueNow: clock.now })("social_posts");
const ask = (connectors: readonly Connector[], requested: object) =>
  createCoverage({ connectors, derivations: [], db: engines.db, clock })(["social_posts"], requested);
const write = (name: string, since: number, reached: number | null, state = "caught_up", okAt = 0) =>
  engines.db
    .insertInto("streams")
    .values({
      name,
      since: timestamp(since),
      reached: reached === null ? null : timestamp(reached),
      state,
      last_ok_at: timestamp(okAt),
      updated_at: timestamp(0),
    })
    .execute();

test("a venue is covered where all of its streams are, without their gaps", async () => {
  await write("sky", -600, -30, "failing");
  await write("news", -600, -1);
  await engines.db
    .insertInto("gaps")
    .values({
      stream: "sky",
      instrument: null,
      from_at: timestamp(-100),
      to_at: timestamp(-90),
      reason: "down",
      opened_at: timestamp(-90),
    })
    .execute();
  await engines.db
    .insertInto("backfills")
    .values({
      stream: "sky",
      range_from: timestamp(-900),
      range_to: timestamp(-700),
      finished_at: timestamp(-1),
      for_gaps: false,
    })
    .execute();
  const streams = [stream("sky", "bluesky"), stream("news", "hackernews"), stream("never", "x")];
  expect(await heldBy(streams)).toEqual({
    bluesky: [span(-900, -700), span(-600, -100), span(-90, -30)],
    // A caught-up stream that found nothing new is complete up to now.
    hackernews: [span(-600, 0)],
    x: [],
  });
});

test("a selective stream is covered up to the start of its last cycle", async () => {
  await write("picks", -600, -10);
  const streams = [stream("picks", "x", { isSelective: true, holdsOnly: "some posts" })];
  expect(await heldBy(streams)).toEqual({ x: [span(-600, -10)] });
});

test("coverage names a stream that is off, but only if the request includes its venue", async () => {
  await write("sky", -6000, 0);
  await write("x", -6000, null, "off");
  const needs = { settings: ["X_BEARER_TOKEN"], adds: "posts of X" };
  const streams = [stream("sky", "bluesky"), stream("x", "x", { needs })];
  const requested = { from: timestamp(-60).toISOString() };
  expect(await ask(streams, { ...requested, venues: ["bluesky"] })).toMatchObject({ complete: true, reasons: [] });
  expect(await ask(streams, { ...requested, venues: ["bluesky", "x"] })).toMatchObject({
    complete: false,
    reasons: ["Stream x: not collected by this service."],
  });
});

test("coverage reports expired rows only for a range that reaches before the retention limit", async () => {
  await write("sky", -60_000, 0);
  const sweep = unmatchedSweep(168);
  await saveSwept(engines.db, sweep, { rows: 5, goneBefore: NOW - 3_600_000 }, timestamp(0));
  await saveSwept(engines.db, sweep, { rows: 2, goneBefore: NOW - 7_200_000 }, timestamp(1));
  const streams = [stream("sky", "bluesky")];
  expect(await ask(streams, { from: timestamp(-59).toISOString() })).toMatchObject({ complete: true });
  expect(await ask(streams, { from: timestamp(-61).toISOString() })).toMatchObject({
    complete: false,
    reasons: [
      "Posts about no market are kept for 168 hours (SOCIAL_UNMATCHED_HOURS): those before 2026-11-20T11:00:00.000Z were removed.",
    ],
  });
  expect(await engines.db.selectFrom("retention").select("rows").executeTakeFirst()).toEqual({ rows: 7 });
});
