import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Setting } from "../../src/setting.ts";
import { SETTINGS } from "../../src/settings.ts";
import { isOurs, readCompose } from "./read-compose.ts";
import { REPOSITORY } from "./repository.ts";

const read = (file: string): string => readFileSync(join(REPOSITORY, file), "utf8");
const ALL = Object.keys(SETTINGS).toSorted();
const without = (...lists: readonly (readonly string[])[]): readonly string[] =>
  ALL.filter((name) => !lists.flat().includes(name));

/** Settings that the image itself sets. */
const IN_THE_IMAGE = ["ALMANAC_HOST", "ALMANAC_PORT", "ALMANAC_METRICS_PORT", "ALMANAC_DATA_DIR"];

/** Addresses of the public venues and sources: an operator who uses others adds a line. */
const VENUES = [
  "POLYMARKET_GAMMA_URL",
  "POLYMARKET_CLOB_URL",
  "POLYMARKET_DATA_URL",
  "POLYMARKET_WS_URL",
  "POLYMARKET_RTDS_URL",
  "KALSHI_URL",
  "KALSHI_WS_URL",
  "BLUESKY_JETSTREAM_URL",
  "HN_URL",
  "GDELT_URL",
  "X_URL",
  "VENUES_BEGAN",
];

/** Settings that one machine does not need: its engines are embedded, and its secret is created in /data. */
const OF_MANY_MACHINES = [
  "ALMANAC_SECRET_FILE",
  "LEASE_SECONDS",
  "DATABASE_URL",
  "REDIS_URL",
  "CLICKHOUSE_URL",
  "CLICKHOUSE_CLUSTER",
  "COLD_STORAGE_POLICY",
];

/** Tiering of the embedded engine; ClickHouse's servers have COLD_STORAGE_POLICY. */
const OF_THE_EMBEDDED_ENGINE = ["COLD_S3_URL", "COLD_S3_REGION", "COLD_S3_KEY_ID", "COLD_S3_SECRET"];

/** On a cluster there are no indexes; on one ClickHouse server there are. */
const NOT_ON_A_CLUSTER = [...OF_THE_EMBEDDED_ENGINE, "SERVING_BYTES"];

/** Secrets, and addresses that contain a password: they belong into a Secret. */
const isSecret = (name: string): boolean =>
  (SETTINGS as Readonly<Record<string, Setting>>)[name]?.shows === "nothing" ||
  ["CLICKHOUSE_URL", "DATABASE_URL", "REDIS_URL"].includes(name);

describe("every setting of the service is in", () => {
  test.each([
    ["one-machine.yaml", OF_MANY_MACHINES],
    ["cluster.yaml", NOT_ON_A_CLUSTER],
  ])("deploy/compose/%s, or is omitted for a stated reason", (file, leftOut) => {
    const ours = Object.values(readCompose(file).services).filter(isOurs);
    const given = new Set(ours.flatMap(({ environment = {} }) => Object.keys(environment)));
    expect([...given].toSorted()).toEqual(without(IN_THE_IMAGE, VENUES, leftOut));
  });

  test("the image's environment, if compose files leave it to the image", () => {
    const [, environment = ""] = /^ENV ((?:.*\\\n)*.*)$/m.exec(read("deploy/Dockerfile")) ?? [];
    const names = [...environment.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name);
    expect(names.toSorted()).toEqual([...IN_THE_IMAGE, "NODE_ENV"].toSorted());
  });

  test("the chart: its values, a Secret, or `settings`, whose schema takes all others by name", () => {
    const { properties } = JSON.parse(read("deploy/helm/almanac/values.schema.json")) as {
      properties: { settings: { propertyNames: { enum: string[] } } };
    };
    const helpers = read("deploy/helm/almanac/templates/_helpers.tpl");
    const byValues = ["ALMANAC_ROLE", ...[...helpers.matchAll(/^([A-Z_]+): /gm)].map(([, name = ""]) => name)];
    const taken = without(byValues, ALL.filter(isSecret), OF_THE_EMBEDDED_ENGINE);
    expect(byValues).toContain("CLICKHOUSE_CLUSTER");
    expect(properties.settings.propertyNames.enum).toEqual(taken);
  });
});
