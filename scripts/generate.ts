// Writes the demo values that documents show: values for examples, and a row of each dataset. Starts a demo for it.
import { writeFileSync } from "node:fs";
import { datasets } from "../packages/server/src/catalogue.ts";
import { EXAMPLE_SAMPLE, examplesOf, type ExampleSample } from "../packages/server/src/definition/example-values.ts";
import { findExampleValues, type AskRows } from "../packages/server/src/query/find-example-values.ts";
import { startDemo } from "./browser/start-demo.ts";
import { askService, type Service } from "./demo/ask-service.ts";
import { readOptions } from "./read-options.ts";

const FILE = new URL("../packages/server/src/definition/example-sample.json", import.meta.url);
const TRIES = 60;
const BETWEEN_MS = 10_000;

const HELP = `npm run generate -- [options]
  --base-url URL  a running demo to take the values from (default: starts one)
  --key KEY       an API key of it
  --help          this text
`;

const { values } = readOptions("generate", {
  options: { "base-url": { type: "string" }, key: { type: "string" }, help: { type: "boolean", default: false } },
});

async function openDemo(): Promise<{ readonly demo: Service; readonly stop: () => Promise<void> }> {
  if (values["base-url"] !== undefined)
    return { demo: { base_url: values["base-url"], api_key: values.key ?? "" }, stop: async () => undefined };
  return startDemo([]);
}

/** A query that cannot be answered now counts as having no rows. */
const askOf =
  (demo: Service): AskRows =>
  (...requested) =>
    askService(demo, ...requested).then(
      ({ data }) => data.results,
      () => [],
    );

/** The sample from the demo's current state, and which examples have no rows yet. */
async function takeSample(ask: AskRows): Promise<{ sample: ExampleSample; empty: readonly string[] }> {
  const found = await findExampleValues(ask, Date.now());
  const rows: Record<string, Readonly<Record<string, unknown>>> = {};
  const empty: string[] = [];
  for (const dataset of datasets) {
    for (const { title, params } of examplesOf(dataset, found)) {
      const [row] = await ask(dataset.agentId, params, 1);
      if (row) rows[String(dataset.agentId)] ??= row;
      else empty.push(`${dataset.name}: ${title} ${JSON.stringify(params)}`);
    }
  }
  return { sample: { values: { ...EXAMPLE_SAMPLE.values, ...found }, rows }, empty };
}

async function main(): Promise<void> {
  const { demo, stop } = await openDemo();
  try {
    let taken = await takeSample(askOf(demo));
    for (let tries = 1; taken.empty.length > 0 && tries < TRIES; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
      taken = await takeSample(askOf(demo));
    }
    if (taken.empty.length > 0) throw new Error(`examples without rows:\n${taken.empty.join("\n")}`);
    writeFileSync(FILE, `${JSON.stringify(taken.sample, null, 2)}\n`);
  } finally {
    await stop();
  }
}

if (values.help) process.stdout.write(HELP);
else await main();
