import { expect, test } from "vitest";
import { describeConfig, readConfig } from "../../src/config.ts";

const S3 = {
  COLD_S3_URL: "https://s3.example.com/bucket/almanac/",
  COLD_S3_KEY_ID: "AKIAEXAMPLE",
  COLD_S3_SECRET: "wJalr/XUtn+FEMI",
};

test("old rows are not moved to cold storage unless a destination is configured", () => {
  expect(readConfig({}).cooling).toBeUndefined();
  expect(readConfig(S3).cooling).toEqual({
    place: {
      kind: "s3",
      url: "https://s3.example.com/bucket/almanac",
      keyId: "AKIAEXAMPLE",
      secret: "wJalr/XUtn+FEMI",
      region: "us-east-1",
    },
    afterDays: 60,
  });
  const server = { CLICKHOUSE_URL: "http://rows:8123", COLD_STORAGE_POLICY: "tiered", BOOKS_COLD_AFTER_DAYS: "90" };
  expect(readConfig(server).cooling).toEqual({ place: { kind: "policy", policy: "tiered" }, afterDays: 90 });
});

test("conflicting settings are refused by name, and no secret is shown", () => {
  const { COLD_S3_SECRET: secret, ...half } = S3;
  expect(() => readConfig(half)).toThrow(/COLD_S3_URL, COLD_S3_KEY_ID and COLD_S3_SECRET go together/);
  expect(() => readConfig({ ...S3, CLICKHOUSE_URL: "http://rows:8123" })).toThrow(/COLD_STORAGE_POLICY/);
  expect(() => readConfig({ COLD_STORAGE_POLICY: "tiered" })).toThrow(/needs CLICKHOUSE_URL/);
  expect(() => readConfig({ COLD_STORAGE_POLICY: "a'b", CLICKHOUSE_URL: "http://rows:8123" })).toThrow(/a name of/);
  expect(() => readConfig({ ...S3, BOOKS_COLD_AFTER_DAYS: "7" })).toThrow(/from 35 to/);
  expect(JSON.stringify(describeConfig(S3))).not.toContain(secret);
});
