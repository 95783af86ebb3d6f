import { createClientOver } from "@almanac/client";
import { expect, test } from "vitest";
import { fileOf } from "../../src/explore/download.ts";

test("fileOf requests csv without cells that a spreadsheet runs as a formula, and other formats unchanged", async () => {
  const sent: string[] = [];
  const client = createClientOver((body) => {
    sent.push(body);
    return Promise.resolve(new Response("", { headers: { "x-almanac-coverage": "complete" } }));
  });
  for (const format of ["csv", "ndjson", "parquet", "arrow"] as const)
    await fileOf(client, { agentId: 556, params: {} }, format);
  const requested = { agent_id: 556, params: {} };
  expect(sent.map((body): unknown => JSON.parse(body))).toEqual([
    { ...requested, formatter_config: { format_type: "csv", csv_safe: true } },
    { ...requested, formatter_config: { format_type: "ndjson" } },
    { ...requested, formatter_config: { format_type: "parquet" } },
    { ...requested, formatter_config: { format_type: "arrow" } },
  ]);
});
