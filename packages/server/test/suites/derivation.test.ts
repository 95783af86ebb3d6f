import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { derivations } from "../../src/catalogue.ts";
import { sourcesOf, type Derivation, type Rebuild } from "../../src/definition/derivation.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { runRebuild, runWhole } from "../../src/ingest/rebuild.ts";
import { reportsSince } from "../../src/ingest/timestamps.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { insertSamples } from "../fixtures/sample-rows.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
let version = 0;
beforeAll(async () => {
  store = await openTestStore();
  await insertSamples(store);
});
afterAll(() => store.close());

const WHOLE = { from: "2020-01-01 00:00:00", to: "2030-01-01 00:00:00", starts: undefined };

const run = (derivation: Derivation, buckets: Omit<Rebuild, "version">): Promise<void> => {
  version += 1;
  const rebuild = { ...buckets, version: String(version) };
  return rebuild.starts === undefined ? runWhole(derivation, store, rebuild) : runRebuild(derivation, store, rebuild);
};

/** Two derivations may write rows of one table. */
const empty = ({ into }: Derivation): Promise<void> => store.alter(fromDefinition(`TRUNCATE TABLE ${into.name}`));

/** The rows as a reader sees them, without the time of their computation. */
const rowsOf = ({ into }: Derivation): Promise<unknown[]> => {
  const said = Object.keys(into.columns).filter((column) => !column.endsWith("version"));
  return store.rows(
    fromDefinition(`SELECT ${said.join(", ")} FROM ${into.name} FINAL ORDER BY ${into.key.join(", ")}`),
  );
};

describe.each(derivations.map((derivation) => [derivation.name, derivation] as const))("%s", (_name, derivation) => {
  test("declares what it reads and writes, and can be resumed", () => {
    expect(derivation.title).not.toBe("");
    expect(derivation.bucketSeconds).toBeGreaterThan(0);
    for (const source of sourcesOf(derivation)) {
      expect(source.columns).toHaveProperty(derivation.timestamp);
      expect(reportsSince(source), source.name).toBe(true);
    }
    expect(derivation.into.columns).toHaveProperty("version");
  });

  test("produces rows, and a rerun leaves them unchanged", async () => {
    await empty(derivation);
    await run(derivation, WHOLE);
    const first = await rowsOf(derivation);
    expect(first.length).toBeGreaterThan(0);
    await run(derivation, WHOLE);
    expect(await rowsOf(derivation)).toEqual(first);
  });

  test("produces the same rows bucket by bucket as in one run", async () => {
    const whole = await rowsOf(derivation);
    await empty(derivation);
    const size = derivation.bucketSeconds;
    const bucketsOf = sourcesOf(derivation).map(
      ({ name }) => `SELECT intDiv(toUnixTimestamp(${derivation.timestamp}), ${size}) * ${size} AS start FROM ${name}`,
    );
    const found = await store.rows<{ start: string }>(
      fromDefinition(`SELECT DISTINCT toString(start) AS start FROM (${bucketsOf.join(" UNION ALL ")})`),
    );
    const starts = found.map(({ start }) => Number(start)).sort((a, b) => a - b);
    const half = Math.ceil(starts.length / 2);
    for (const part of [starts.slice(half), starts.slice(0, half)]) {
      if (part.length > 0) await run(derivation, { ...WHOLE, starts: part });
    }
    expect(await rowsOf(derivation)).toEqual(whole);
  });
});
