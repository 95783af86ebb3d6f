import { describe, expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import { parseParams } from "../../src/query/parse-params.ts";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";
import { sampleOf } from "../fuzz/samples.ts";

const ofAgent = (agentId: number): DatasetDefinition =>
  datasets.find((one) => one.agentId === agentId) ?? expect.fail(`no dataset ${agentId}`);

const read = (dataset: DatasetDefinition, params: Readonly<Record<string, string>>) =>
  parseParams(dataset, { ...SAMPLE_PARAMS[dataset.agentId], ...params }, "reject");

describe.each(datasets.map((dataset) => [dataset.name, dataset] as const))("%s", (_name, dataset) => {
  const requested = new Set(Object.keys(SAMPLE_PARAMS[dataset.agentId] ?? {}));
  const params = Object.entries(dataset.params).filter(([name]) => !requested.has(name));

  test("treats an empty value as the default if nothing else means no filter", () => {
    const defaults = params.filter(
      ([, one]) => one.defaultText !== undefined && one.offValues.every((off) => off === ""),
    );
    for (const [name] of defaults) {
      for (const empty of ["", "  "]) expect(read(dataset, { [name]: empty }), name).toEqual(read(dataset, {}));
    }
  });

  test("has no default alongside a parameter that takes its place, unless that one is off", () => {
    for (const [name, { defaultText = "", defaultUnless = "" }] of params) {
      const other = dataset.params[defaultUnless];
      if (other === undefined) continue;
      const open: Readonly<Record<string, string>> = "end_time" in dataset.params ? { end_time: "" } : {};
      const [instead, off] = [{ ...open, [defaultUnless]: sampleOf(defaultUnless, other) }, { [defaultUnless]: "" }];
      for (const texts of [instead, { ...instead, [name]: "" }]) {
        expect(read(dataset, texts).given, name).not.toHaveProperty(name);
        expect(read(dataset, texts).echo, name).not.toHaveProperty(name);
      }
      expect(read(dataset, off).echo[name]).toBe(defaultText);
    }
    const unless = params.map(([, one]) => one.defaultUnless);
    expect(unless.filter((one) => one !== undefined && dataset.params[one] === undefined)).toEqual([]);
  });

  test("accepts each off value, and echoes all but an empty one that no default replaces", () => {
    const filters = params.flatMap(([name, one]) => one.offValues.map((off) => [name, off] as const));
    for (const [name, off] of filters) {
      if (dataset.params[name]?.isRequired) continue;
      const { given, echo } = read(dataset, { [name]: off });
      expect(given, name).not.toHaveProperty(name);
      const isAbsent = off === "" && !(name in read(dataset, {}).echo);
      expect(echo[name], name).toBe(isAbsent ? undefined : off);
      expect(read(dataset, echo).given, name).toEqual(given);
    }
  });

  test("accepts -1.0 or an empty value for minimum and maximum figures", () => {
    const figures = params.filter(([name, one]) => /^(?:min|max)_/.test(name) && /number|integer|prob/.test(one.type));
    for (const [name, one] of figures) expect(one.offValues, name).toEqual(expect.arrayContaining(["", "-1.0"]));
  });
});

test("intervals, periods, windows and time zones are never off", () => {
  expect(read(ofAgent(568), { interval: "" }).echo).toMatchObject({ interval: "1m" });
  expect(read(ofAgent(568), { tz: "" }).echo).toMatchObject({ tz: "UTC" });
  expect(parseParams(ofAgent(579), { leaderboard_period: "" }, "reject").echo).toMatchObject({
    leaderboard_period: "7d",
  });
  expect(
    parseParams(ofAgent(581), { proxy_wallet: `0x${"1".repeat(40)}`, window_days: "" }, "reject").echo,
  ).toMatchObject({ window_days: "7" });
});
