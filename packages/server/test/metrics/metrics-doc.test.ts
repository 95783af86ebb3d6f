import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createRedisMetrics } from "../../src/access/redis/redis-metrics.ts";
import { createHttpMetrics } from "../../src/http/http-metrics.ts";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";

const DOC = join(import.meta.dirname, "../../../../docs/metrics.md");
const HEAD = `# Metrics

What \`/metrics\` gives in the Prometheus text format, besides the process's own (\`process_*\`, \`nodejs_*\`). Set
\`ALMANAC_METRICS_PORT\` to open its door. \`almanac status\` shows the same for people. This page is made from the
program: \`npx vitest run packages/server/test/metrics -u\` writes it anew.
`;

type Described = { readonly name: string; readonly help: string; readonly type: string; readonly labelNames: string[] };

/** A section for each metric, in the order of names. */
function describeMetrics(registry: Registry): string {
  const metrics = registry.getMetricsAsArray() as unknown as Described[];
  const sections = metrics
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, help, labelNames, type }) => {
      const labels = labelNames.length === 0 ? "" : ` by ${labelNames.map((label) => `\`${label}\``).join(", ")}`;
      return `- \`${name}\` (${type}${labels}): ${help}`;
    });
  return `${HEAD}\n${sections.join("\n")}\n`;
}

test("docs/metrics.md has every metric with its labels and meaning", async () => {
  const registry = new Registry();
  createHttpMetrics(registry, () => 0);
  createIngestMetrics(registry);
  createRedisMetrics(registry);
  const text = describeMetrics(registry);
  expect(text).toContain("`almanac_ingest_gap_seconds`");
  await expect(text).toMatchFileSnapshot(DOC);
});
