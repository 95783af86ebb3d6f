import { join } from "node:path";
import { expect, test } from "vitest";
import { everyMetric } from "./every-metric.ts";

const DOC = join(import.meta.dirname, "../../../../docs/metrics.md");
const HEAD = `# Metrics

What \`/metrics\` gives in the Prometheus text format, besides the process's own (\`process_*\`, \`nodejs_*\`). Set
\`ALMANAC_METRICS_PORT\` to open its door. \`almanac status\` shows the same for people. This page is made from the
program: \`npx vitest run packages/server/test/metrics -u\` writes it anew.
`;

/** A line for each metric. */
function describeMetrics(): string {
  const lines = everyMetric().map(({ name, help, labelNames, type }) => {
    const labels = labelNames.length === 0 ? "" : ` by ${labelNames.map((label) => `\`${label}\``).join(", ")}`;
    return `- \`${name}\` (${type}${labels}): ${help}`;
  });
  return `${HEAD}\n${lines.join("\n")}\n`;
}

test("docs/metrics.md has every metric with its labels and meaning", async () => {
  const text = describeMetrics();
  expect(text).toContain("`almanac_ingest_gap_seconds`");
  await expect(text).toMatchFileSnapshot(DOC);
});
