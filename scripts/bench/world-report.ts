import type { Asked } from "./world-questions.ts";
import type { Process, Sample, StreamSaid } from "./world-watch.ts";

export type WorldResult = {
  readonly options: { readonly speed: number; readonly seconds: number };
  readonly readySeconds: number;
  readonly truth: Readonly<Record<"before" | "after", Readonly<Record<string, number>>>>;
  readonly asked: Asked;
  /** Some seconds after the world stood still. */
  readonly settled: Sample | undefined;
  readonly samples: readonly Sample[];
};

const PROCESSES: readonly Process[] = ["exchange", "service", "engine"];
const one = (value: number | undefined): string => (value === undefined ? "–" : value.toFixed(1));

/** The tables of a run, as Markdown. */
export function printWorld(result: WorldResult): string {
  return [streamTable(result), processTable(result), questionTable(result.asked), remarks(result)].join("\n\n");
}

function streamTable({ samples, settled, options }: WorldResult): string {
  const lines = (samples[0]?.streams ?? [])
    .filter(({ state }) => state !== "off" && state !== "replaced")
    .map(({ name, rowsStored, gaps, errors }) => {
      const seen = samples.flatMap(({ streams }) => streams.filter((stream) => stream.name === name));
      const lags = seen.flatMap(({ lagSeconds }) => (lagSeconds === null ? [] : [lagSeconds / options.speed]));
      const last = settled?.streams.find((stream) => stream.name === name);
      const rows = (last?.rowsStored ?? 0) - rowsStored;
      const most = Math.max(...seen.map((stream) => openOf(stream.gaps)));
      const half = lags.slice(0, Math.floor(lags.length / 2));
      return [
        name,
        rows.toLocaleString("en"),
        one(rows / options.seconds),
        one(Math.max(...half)),
        one(Math.max(...lags.slice(half.length))),
        one(lags.at(-1)),
        `${openOf(gaps)} / ${most} / ${last === undefined ? "–" : openOf(last.gaps)}`,
        String((last?.errors ?? 0) - errors),
        last?.state ?? "–",
      ];
    });
  const heads = ["stream", "rows in", "rows/s", "lag max s, first half", "second half", "at the end"];
  return table([...heads, "open gaps first / most / settled", "errors", "settled"], lines);
}

const openOf = ({ fillable, unfillable }: StreamSaid["gaps"]): number => fillable + unfillable;

function processTable({ samples }: WorldResult): string {
  const [first, last] = [samples[0], samples.at(-1)];
  const seconds = ((last?.at ?? 0) - (first?.at ?? 0)) / 1000;
  const lines = PROCESSES.map((name) => {
    const cpu = ((last?.cpuSeconds[name] ?? Number.NaN) - (first?.cpuSeconds[name] ?? Number.NaN)) / seconds;
    const slopes = [slope(samples, name), slope(samples.slice(Math.floor(samples.length / 2)), name)];
    const most = Math.max(...samples.map(({ mib }) => mib[name]));
    const mib = [first?.mib[name], most, last?.mib[name]].concat(slopes).map(one);
    return [name, `${(cpu * 100).toFixed(0)} %`].concat(mib);
  });
  return table(
    ["process", "CPU of one core", "MiB start", "most", "end", "MiB a minute", "MiB a minute, second half"],
    lines,
  );
}

/** Least squares over the samples. */
function slope(samples: readonly Sample[], name: Process): number {
  const points = samples.map(({ at, mib }) => [at / 60_000, mib[name]] as const);
  const mean = (pick: 0 | 1): number => points.reduce((sum, point) => sum + point[pick], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return over / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

function questionTable(asked: Asked): string {
  const lines = asked.map(({ question, asked: count, failed, p50, p99 }) => {
    return [question, String(count), String(failed), one(p50), one(p99)];
  });
  return table(["question, one at a time", "asked", "failed", "p50 ms", "p99 ms"], lines);
}

function remarks({ samples, truth, readySeconds, options }: WorldResult): string {
  const happened = Object.keys(truth.after)
    .filter((name) => /fills|changes|trades|^polymarket_markets|kalshi_markets/.test(name))
    .map((name) => `${name} ${((truth.after[name] ?? 0) - (truth.before[name] ?? 0)).toLocaleString("en")}`);
  const loop = samples.map(({ loopMs }) => loopMs).toSorted((a, b) => a - b);
  const pending = Math.max(...samples.flatMap(({ derivations }) => Object.values(derivations)));
  return [
    `Ready after ${one(readySeconds)} s, then ${options.seconds} s at ${options.speed}×. Happened: ${happened.join(", ")}.`,
    `The service's event loop was late by at most ${one(loop.at(-1))} ms (median of each second's worst ${one(loop[Math.floor(loop.length / 2)])} ms); at most ${pending} buckets waited to be derived.`,
  ].join("\n");
}

function table(heads: readonly string[], lines: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
}
