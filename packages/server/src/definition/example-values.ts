import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatasetDefinition, Example } from "./dataset.ts";

/** Values an example may need from a store or the clock; its parameters hold a name in angle brackets instead. */
export const EXAMPLE_KINDS = [
  "wallet",
  "scored_wallet",
  "sender",
  "redeemer",
  "condition",
  "resolved_condition",
  "talked_condition",
  "traded_slug",
  "token",
  "ticker",
  "title_word",
  "market_words",
  "tag",
  "word",
  "today",
  "yesterday",
  "week_ago",
  "quarter_ago",
  "ten_minutes_ago",
  "a_minute_ago",
] as const;

export type ExampleKind = (typeof EXAMPLE_KINDS)[number];
export type ExampleValues = Readonly<Record<ExampleKind, string>>;

/** Values and rows of a demo, written by `npm run generate`, for documents rendered without a store. */
export type ExampleSample = {
  readonly values: ExampleValues;
  /** A row that the first example of each dataset returned, by agent_id. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export const EXAMPLE_SAMPLE = JSON.parse(
  readFileSync(join(import.meta.dirname, "example-sample.json"), "utf8"),
) as ExampleSample;

const isKind = (name: string): name is ExampleKind => (EXAMPLE_KINDS as readonly string[]).includes(name);

const filled = (text: string, values: ExampleValues): string =>
  text.replaceAll(/<(\w+)>/g, (whole, name: string) => (isKind(name) ? values[name] : whole));

/** A dataset's examples with the placeholders replaced by values. */
export const examplesOf = (
  { examples }: Pick<DatasetDefinition, "examples">,
  values: ExampleValues = EXAMPLE_SAMPLE.values,
): readonly Example[] =>
  examples.map(({ title, params }) => ({
    title,
    params: Object.fromEntries(Object.entries(params).map(([name, text]) => [name, filled(text, values)])),
  }));
