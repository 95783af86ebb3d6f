import { expect, test } from "vitest";
import { connectors } from "../../src/catalogue.ts";
import { planStreams } from "../../src/ingest/plan-streams.ts";
import { SETTINGS } from "../../src/settings.ts";

const settings = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { default: value }]: [string, { default?: string | undefined }]) => [
    name,
    value,
  ]),
);
const plan = (more: Record<string, string>, off: readonly string[] = []) =>
  new Map(
    planStreams(connectors, { ...settings, ...more }, off).map(({ connector, ...planned }) => [
      connector.name,
      planned,
    ]),
  );

test("a stream listed in STREAMS_OFF is off with that reason, and the stream it replaces comes on", () => {
  const chain = { POLYGON_RPC_URL: "http://127.0.0.1:1" };
  expect(plan({}).get("bluesky-posts")).toEqual({ state: "on" });
  expect(plan({}, ["bluesky-posts"]).get("bluesky-posts")).toEqual({ state: "off", why: "listed in STREAMS_OFF" });
  expect(plan(chain).get("polymarket-trades-data")?.state).toBe("replaced");
  expect(plan(chain, ["polymarket-trades-chain"]).get("polymarket-trades-data")?.state).toBe("on");
});

test("a stream without its address or key is off", () => {
  expect(plan({ BLUESKY_JETSTREAM_URL: "" }).get("bluesky-posts")).toMatchObject({ state: "off" });
  expect(plan({}).get("kalshi-book")).toMatchObject({ state: "off" });
});
