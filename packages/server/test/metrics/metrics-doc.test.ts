import { join } from "node:path";
import { expect, test } from "vitest";
import { everyMetric } from "./every-metric.ts";

const DOC = join(import.meta.dirname, "../../../../docs/metrics.md");
const HEAD = `# Metrics

Metrics exposed at \`/metrics\` in the Prometheus text format, in addition to the process's own (\`process_*\`,
\`nodejs_*\`). Set \`ALMANAC_METRICS_PORT\` to enable the endpoint. \`almanac status\` prints the same in readable form. This page
is generated: \`npx vitest run packages/server/test/metrics -u\` rewrites it.
`;

/** Renders the page, with a line for each metric. */
function describeMetrics(): string {
  const lines = everyMetric().map(({ name, help, labelNames, type }) => {
    const labels = labelNames.length === 0 ? "" : ` by ${labelNames.map((label) => `\`${label}\``).join(", ")}`;
    return `- \`${name}\` (${type}${labels}): ${help}`;
  });
  return `${HEAD}\n${lines.join("\n")}\n`;
}

test("docs/metrics.md lists every metric with its labels and meaning", async () => {
  const text = describeMetrics();
  expect(text).toContain("`almanac_ingest_gap_seconds`");
  await expect(text).toMatchFileSnapshot(DOC);
});
