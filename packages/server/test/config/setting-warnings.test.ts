import { expect, test } from "vitest";
import { connectors } from "../../src/catalogue.ts";
import { readConfig } from "../../src/config.ts";
import { settingWarnings } from "../../src/main/setting-warnings.ts";

const warningsOf = (environment: Record<string, string>): readonly string[] => settingWarnings(readConfig(environment));

test("a name in STREAMS_OFF that no stream has is reported, with the names there are", () => {
  const [text = "", ...others] = warningsOf({ STREAMS_OFF: "kalshi-trades,polymarket-books" });
  expect(others).toEqual([]);
  expect(text).toContain("STREAMS_OFF names polymarket-books, which is no stream and has no effect");
  for (const { name } of connectors) expect(text).toContain(name);
});

test("the name of every stream is known, and other warnings stay", () => {
  const every = connectors.map(({ name }) => name).join(",");
  expect(warningsOf({ STREAMS_OFF: every })).toEqual([]);
  expect(warningsOf({ STREAMS_OFF: "no-stream", ALMANAC_PROT: "1" })).toEqual([
    expect.stringContaining("ALMANAC_PROT"),
    expect.stringContaining("no-stream"),
  ]);
});
