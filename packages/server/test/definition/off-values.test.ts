import { describe, expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import type { Param } from "../../src/definition/param.ts";
import { parseParams, type ReadParams } from "../../src/query/parse-params.ts";
import { requiredParams, sampleOf } from "../fuzz/samples.ts";

const WORDS = ["ALL", "all", "BOTH", "Both"];
const MINUS_ONE = ["-1", "-1.0", "-1.00", "-01", "-1e0", " -1 "];
const SEARCHED = /^(?:list of )?(?:text|phrases)$|^slug, list of slugs or text$/;

const isBound = (name: string, { type }: Param): boolean =>
  /^(?:min|max)_/.test(name) || ["moment", "day"].includes(type);

const isChoice = ({ choices }: Param, value: string): boolean =>
  choices?.some((one) => one.toLowerCase() === value.toLowerCase()) === true;

/** The off values of a parameter, in addition to those its dataset lists. */
const offFor = (name: string, param: Param): string[] =>
  [
    "",
    "  ",
    ...(SEARCHED.test(param.type) ? [] : WORDS),
    ...(isBound(name, param) ? MINUS_ONE : []),
    ...param.offValues,
  ].filter((value) => !isChoice(param, value));

const read = (dataset: DatasetDefinition, name: string, value: string): ReadParams => {
  const { [name]: _, ...others } = requiredParams(dataset);
  return parseParams(dataset, { ...others, [name]: value }, "reject");
};

const all = datasets.flatMap((dataset) =>
  Object.entries(dataset.params).map(([name, param]) => ({ dataset, name, param, of: `${dataset.name} ${name}` })),
);
const required = (dataset: DatasetDefinition): Record<string, string> => requiredParams(dataset);
const optional = all.filter(({ dataset, name, param }) => !param.isRequired && !(name in required(dataset)));

describe("every parameter of every dataset accepts the same values as no filter", () => {
  test.each(optional)("$of", ({ dataset, name, param }) => {
    for (const value of offFor(name, param)) {
      const { given, warnings } = read(dataset, name, value);
      if (param.offValues.length > 0) expect(given, value).not.toHaveProperty(name);
      else expect(given, value).toEqual(parseParams(dataset, required(dataset), "reject").given);
      if (param.offValues.length === 0 && value.trim() !== "") expect(warnings.join()).toContain("the default");
    }
  });

  test.each(all.filter(({ param }) => param.offValues.includes("0")))(
    "$of is also off by any spelling of 0",
    ({ dataset, name }) => {
      for (const value of ["0.0", "00", "0e0", " .0 "])
        expect(read(dataset, name, value).given, value).not.toHaveProperty(name);
    },
  );

  test.each(all.filter(({ param }) => param.isSigned))(
    "$of explains how to filter by -1 itself",
    ({ dataset, name }) => {
      for (const value of MINUS_ONE) expect(read(dataset, name, value).warnings.join()).toContain("-1.01 filters");
      for (const value of ["-1.01", "-2", "-100000"]) {
        const { given, warnings } = read(dataset, name, value);
        expect([given[name]?.value, warnings]).toEqual([value, []]);
      }
    },
  );

  test.each(all.filter(({ name }) => name.startsWith("min_")))(
    "$of filters by values below zero other than -1",
    ({ dataset, name }) => {
      for (const value of ["-1.01", "-5", "-5e3"]) {
        if (dataset.params[name]?.type === "integer" && value.includes(".")) continue;
        expect(read(dataset, name, value).given).toHaveProperty(name);
      }
    },
  );
});

test.each(all.filter(({ param }) => param.type === "number"))("$of rounds any number of digits", (one) => {
  const value = `${sampleOf(one.name, one.param).split(".")[0]}.${"3".repeat(40)}`;
  if (one.param.parse(value).ok)
    expect(String(read(one.dataset, one.name, value).given[one.name]?.value)).toMatch(/\.3{6}$/);
  expect(one.param.parse("0.30000000000000004").ok || one.param.parse("30.000000000000004").ok).toBe(true);
});

test.each(all.filter(({ param }) => param.type === "integer"))("$of accepts 50.0 and 1e1", ({ param }) => {
  expect(param.parse("50.0")).toEqual(param.parse("50"));
  expect(param.parse("1e1")).toEqual(param.parse("10"));
  expect(param.parse("2.5").ok).toBe(false);
});

const of = (agentId: number): DatasetDefinition["params"] =>
  datasets.find((one) => one.agentId === agentId)?.params ?? {};

test("slugs and tickers are case-insensitive, intervals are not", () => {
  expect(of(556)["market_slug"]?.parse("Will-It-Rain-1")).toEqual({ ok: true, value: ["will-it-rain-1"] });
  expect(of(1101)["ticker"]?.parse("kxrain-26")).toEqual({ ok: true, value: "KXRAIN-26" });
  for (const requested of [of(568)["interval"]?.parse("1M"), of(596)["resolution"]?.parse("1M")])
    expect(requested).toEqual({
      ok: false,
      expected: expect.stringMatching(/^one of 1m, 5m, [^;]*; months are not supported$/),
    });
  expect(of(569)["granularity"]?.parse("1M")).toEqual({ ok: true, value: "1M" });
  for (const whole of ["all", "ALL", "All"])
    expect(of(569)["granularity"]?.parse(whole)).toEqual({ ok: true, value: "all" });
  for (const [agentId, name, requested, meant] of [
    [1003, "interval", "1m", "1M"],
    [569, "granularity", "1m", "1M"],
    [568, "interval", "1H", "1h"],
  ] as const) {
    const expected = expect.stringContaining(`; did you mean ${meant}?`);
    expect(of(agentId)[name]?.parse(requested)).toEqual({ ok: false, expected });
  }
});
