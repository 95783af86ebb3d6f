import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { connectors } from "../../../src/catalogue.ts";
import { createDeriver } from "../../../src/ingest/derive.ts";
import { systemClock } from "../../../src/ingest/clock.ts";
import { replayParked } from "../../../src/ingest/replay/replay-parked.ts";
import { createIngestMetrics } from "../../../src/ingest/ingest-metrics.ts";
import { createWrite } from "../../../src/ingest/write.ts";
import { openEngines } from "../../ingest/open-engines.ts";
import { type Event, identityEvent, postEvent, reactionEvent, uriOf } from "./event-frames.ts";
import { gatherBluesky, reachedBy, readSocial } from "./gather-bluesky.ts";
import { playJetstream } from "./play-jetstream.ts";

const ANNA = "did:plc:anna";

let engines: Awaited<ReturnType<typeof openEngines>>;
let venue: Awaited<ReturnType<typeof playJetstream>>;
let ingest: ReturnType<typeof gatherBluesky>;
let start = 0;

beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());
beforeEach(async () => {
  for (const name of ["streams", "gaps", "notices", "parked"] as const) await engines.db.deleteFrom(name).execute();
  start = Date.now() - 60_000;
  venue = await playJetstream();
  ingest = gatherBluesky(engines, venue.url);
});
afterEach(async () => {
  await ingest.stop();
  await venue.close();
});

const post = (second: number, did = ANNA): Event =>
  postEvent({
    ms: start + second * 1000,
    did,
    rkey: `3k${start}${second}`,
    text: `Number ${second}`,
    langs: ["en"],
  });
/** The text that Jetstream would send if a field were renamed. */
const renamed = (event: Event, field: string): Event =>
  JSON.parse(JSON.stringify(event).replaceAll(`"${field}":`, `"${field}_v2":`)) as Event;
const settle = async (second: number) => {
  venue.report(identityEvent(start + second * 1000, "did:plc:stranger", "stranger.example"));
  await expect.poll(() => reachedBy(ingest)).toBeGreaterThanOrEqual(start + second * 1000);
};
const parkedOf = () => engines.db.selectFrom("parked").select(["field", "body"]).orderBy("id").execute();

test("parks an event whose envelope changed and records a gap, which a replay fills", async () => {
  venue.report(post(1), renamed(post(2), "rkey"), post(3));
  await settle(4);
  expect(await parkedOf()).toMatchObject([{ field: expect.stringContaining("rkey") }]);
  const gaps = engines.db.selectFrom("gaps").select(["from_at", "to_at"]).where("filled_at", "is", null);
  expect(await gaps.execute()).toEqual([{ from_at: new Date(start + 2000), to_at: new Date(start + 2000) }]);
  expect((await ingest.status()).streams[0]).toMatchObject({ parked: 1 });
  // Stands for a fixed parser: the parked frame is corrected instead.
  await engines.db
    .updateTable("parked")
    .set({ body: JSON.stringify(post(2)) })
    .execute();
  const metrics = createIngestMetrics(new Registry());
  const deriver = createDeriver({ ...engines, derivations: [], metrics, clock: systemClock });
  const write = createWrite({ ...engines, deriver, metrics, announceKnown: true });
  const signal = new AbortController().signal;
  const options = { ...engines, connectors, write, metrics, flush: () => deriver.flush(), clock: systemClock, signal };
  for await (const { outcome } of replayParked(options)) expect(outcome).toBe("stored");
  expect(await gaps.execute()).toEqual([]);
  const { posts } = await readSocial(engines);
  expect(posts.map(({ id }) => id)).toContain(uriOf(ANNA, `3k${start}2`));
});

test("stores an event whose JSON has extra whitespace, and advances the stream", async () => {
  await settle(1);
  venue.send(JSON.stringify(post(2), null, 2));
  await expect.poll(() => reachedBy(ingest)).toBe(start + 2000);
  expect((await readSocial(engines)).posts.map(({ id }) => id)).toContain(uriOf(ANNA, `3k${start}2`));
});

test("records malformed records of one author as a notice, and parks those of many authors as a venue change", async () => {
  venue.report(post(1), ...[2, 3, 4, 5, 6].map((second) => renamed(post(second), "text")), post(7));
  await settle(8);
  expect(await parkedOf()).toEqual([]);
  expect(await engines.db.selectFrom("gaps").select("id").execute()).toEqual([]);
  const notices = await engines.db.selectFrom("notices").select(["kind", "count"]).execute();
  expect(notices).toEqual([{ kind: "upstream_note", count: 5 }]);
  venue.report(...[11, 12, 13, 14, 15].map((second) => renamed(post(second, `did:plc:writer${second}`), "text")));
  venue.report(
    reactionEvent("like", { ms: start + 15_500, did: "did:plc:ben", rkey: "3kl", subject: uriOf(ANNA, `3k${start}1`) }),
  );
  await settle(16);
  expect(await parkedOf()).toHaveLength(5);
  const [first] = await engines.db
    .selectFrom("gaps")
    .select(({ fn }) => [fn.min("from_at").as("from"), fn.max("to_at").as("to")])
    .execute();
  expect(first).toEqual({ from: new Date(start + 11_000), to: new Date(start + 15_000) });
  expect((await readSocial(engines)).reactions).toHaveLength(1);
});
