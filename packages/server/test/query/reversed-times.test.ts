import { expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import { parseParams } from "../../src/query/parse-params.ts";
import { requiredParams } from "../fuzz/samples.ts";

const [EARLIER, LATER] = ["2026-05-01", "2026-06-01"];

const read = (dataset: DatasetDefinition, sent: Readonly<Record<string, string>>) =>
  parseParams(dataset, { ...requiredParams(dataset), ...sent }, "reject", { nowMs: Date.parse("2026-07-01") });

const isFirst = (name: string): boolean => /^(?:start|from)_|_min$/.test(name);

const withTwoTimes = datasets.flatMap((dataset) => {
  const times = Object.keys(dataset.params).filter((name) =>
    ["moment", "day"].includes(dataset.params[name]?.type ?? ""),
  );
  const from = times.find((name) => isFirst(name));
  const to = times.find((name) => !isFirst(name));
  return from === undefined || to === undefined ? [] : [{ dataset, agentId: dataset.agentId, from, to }];
});

test.each(withTwoTimes)("$agentId refuses $from after $to", ({ dataset, from, to }) => {
  expect(() => read(dataset, { [from]: LATER, [to]: EARLIER })).toThrow(
    expect.objectContaining({
      code: "INVALID_PARAMS",
      details: [expect.objectContaining({ path: `params.${from}`, problem: `is after ${to}` })],
    }) as Error,
  );
  expect(Object.keys(read(dataset, { [from]: EARLIER, [to]: EARLIER }).given)).toEqual(
    expect.arrayContaining([from, to]),
  );
});
