import { markdownTable } from "../markdown-table.ts";
import { quantile } from "../latency.ts";
import type { Got, AbuseName } from "./scenes.ts";
import { KINDS, type Kind } from "./mix.ts";
import { countsOf, type Latency } from "./paying.ts";
import type { ReadyFound } from "./probes.ts";

/** Observations of a scene. */
export type Seen = {
  readonly scene: string;
  readonly latencies: readonly Latency[];
  readonly ready: ReadyFound;
  /** Undefined if nothing is stored. */
  readonly lags: readonly number[] | undefined;
  /** Busy cores. */
  readonly cpu: { readonly service: number; readonly engine: number };
  readonly got: Readonly<Partial<Record<AbuseName, Got>>>;
};

type Quantiles = { readonly p50: number; readonly p99: number; readonly max: number };

export type SceneFigures = Quantiles & {
  readonly scene: string;
  readonly requests: number;
  /** p99 relative to that of the first scene. */
  readonly ratio: number;
  readonly refusals: Got;
  readonly ready_max: number;
  readonly ready_failed: number;
  readonly lag_p99: number | undefined;
  readonly cpu: Seen["cpu"];
  readonly kinds: Readonly<Record<Kind, Quantiles>>;
  readonly got: Seen["got"];
};

const quantilesOf = (values: readonly number[]): Quantiles => ({
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
  max: quantile(values, 1),
});

/** The figures of each scene, compared with the first. */
export function figuresOf(seen: readonly Seen[]): SceneFigures[] {
  const alone = quantile(seen[0]?.latencies.map(({ ms }) => ms) ?? [], 0.99);
  return seen.map(({ scene, latencies, ready, lags, cpu, got }) => {
    const all = quantilesOf(latencies.map(({ ms }) => ms));
    const ofKind = (kind: Kind) => quantilesOf(latencies.filter((one) => one.kind === kind).map(({ ms }) => ms));
    return {
      scene,
      requests: latencies.length,
      ...all,
      ratio: all.p99 / alone,
      refusals: countsOf(latencies.map(({ status }) => status).filter((status) => status !== "200")),
      ready_max: ready.maxMs,
      ready_failed: ready.failed,
      lag_p99: lags && quantile(lags, 0.99),
      cpu,
      kinds: Object.fromEntries(KINDS.map((kind) => [kind, ofKind(kind)])) as Record<Kind, Quantiles>,
      got,
    };
  });
}

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const counted = (counts: Got): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count.toLocaleString("en")} × ${name}`)
    .join(", ") || "none";

const HEADS = ["scene", "requests", "p50 ms", "p99 ms", "max ms", "p99 to alone", "refusals", "/ready max ms"];
const MORE_HEADS = ["ingest lag p99 ms", "cores: service, engine"];
const GOT = "what the abusers got";

/** Latencies and errors of the paying key, latencies by kind of request, and the abusers' results. */
export function abuseTables(figures: readonly SceneFigures[]): string {
  const lines = figures.map((one) => [
    one.scene,
    String(one.requests),
    ms(one.p50),
    ms(one.p99),
    ms(one.max),
    one.ratio.toFixed(2),
    counted(one.refusals),
    `${ms(one.ready_max)}${one.ready_failed > 0 ? ` (${one.ready_failed} failed)` : ""}`,
    one.lag_p99 === undefined ? "" : ms(one.lag_p99),
    `${one.cpu.service.toFixed(2)}, ${one.cpu.engine.toFixed(2)}`,
  ]);
  const kinds = figures.map(({ scene, kinds: of, got }) => [
    scene,
    ...KINDS.map((kind) => `${ms(of[kind].p50)}, ${ms(of[kind].p99)}`),
    Object.entries(got)
      .map(([abuse, counts]) => `${abuse}: ${counted(counts)}`)
      .join("; "),
  ]);
  return [
    markdownTable([...HEADS, ...MORE_HEADS], lines),
    "",
    markdownTable(["scene", ...KINDS.map((kind) => `${kind} p50, p99 ms`), GOT], kinds),
  ].join("\n");
}
