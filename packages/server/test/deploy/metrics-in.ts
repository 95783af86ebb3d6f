import { Registry, collectDefaultMetrics } from "prom-client";
import { everyMetric } from "../metrics/every-metric.ts";
import { readRules } from "./read-rules.ts";

/** Metrics that ClickHouse exports by its <prometheus>: names of its own system tables, behind a prefix. */
const CLICKHOUSE = /^ClickHouse(Metrics|AsyncMetrics|ProfileEvents)_[A-Za-z0-9_]+$/;
const NAME =
  /(?<![A-Za-z0-9_:.$"])(?:almanac_(?!shard\b)|almanac:|nodejs_|process_|ClickHouse[A-Za-z]+_|up\b)[A-Za-z0-9_:]*/g;

/** Names of metrics that an expression uses but neither the service nor a recording rule defines. */
export function strangersIn(expression: string): readonly string[] {
  const known = knownNames();
  return (expression.match(NAME) ?? []).filter((name) => !known.has(name) && !CLICKHOUSE.test(name));
}

let names: ReadonlySet<string> | undefined;

function knownNames(): ReadonlySet<string> {
  names ??= new Set(["up", ...ourNames(), ...defaultNames(), ...recorded()]);
  return names;
}

const ourNames = (): readonly string[] =>
  everyMetric().flatMap(({ name, type }) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );

function defaultNames(): readonly string[] {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register.getMetricsAsArray().map(({ name }) => name);
}

const recorded = (): readonly string[] => readRules().flatMap(({ record }) => (record === undefined ? [] : [record]));
