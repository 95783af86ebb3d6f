import { markdownTable } from "./markdown-table.ts";
import type { TableSize } from "./table-sizes.ts";
import type { Watched } from "./watched-child.ts";
import type { WrongCash } from "./wrong-cash.ts";

export type DeriveResult = {
  readonly at: string;
  readonly fills: number;
  readonly generated: Watched | undefined;
  readonly loaded: Watched;
  readonly built: readonly (readonly [table: string, Watched])[];
  readonly sizes: { readonly before: readonly TableSize[]; readonly after: readonly TableSize[] };
  readonly cash: WrongCash;
};

const whole = (value: number): string => Math.round(value).toLocaleString("en");

const total = (list: readonly TableSize[]): number => list.reduce((sum, { mib }) => sum + mib, 0);

/** The figures of a build, as Markdown. */
export function printDerive(result: DeriveResult): string {
  const { fills, generated, loaded, built, sizes, cash } = result;
  const steps: readonly (readonly [string, Watched | undefined])[] = [
    ["generate", generated],
    ["load", loaded],
    ...built.map(([name, one]) => [`derive ${name}`, one] as const),
  ];
  const heads = ["step", "s", "fills/s", "CPU s service", "engine", "peak MiB service", "engine", "together", "load"];
  const lines = steps.flatMap(([name, one]) => (one === undefined ? [] : [[name, ...stepCells(one, fills)]]));
  const made = sizes.after.filter(({ table: name, rows }) => rows !== rowsOf(sizes.before, name));
  const madeLines = made.map(({ table: name, rows, mib }) => [name, whole(rows), whole(mib)]);
  return `${[
    markdownTable(heads, lines),
    ...built.filter(([, one]) => partsOf(one).length > 1).map(([, one]) => printParts(one)),
    markdownTable(["table", "rows", "MiB on disk"], madeLines),
    `On disk ${whole(total(sizes.before))} MiB before, ${whole(total(sizes.after))} MiB after. Cash of ${whole(cash.wallets)} wallets against the truth: ${cash.wrong} wrong, at most ${cash.most_usd} USD.`,
  ].join("\n\n")}\n`;
}

type Part = { readonly name: string; readonly made: string; readonly seconds: number };

const partsOf = ({ text }: Watched): readonly Part[] => (JSON.parse(text) as { derived: readonly Part[] }).derived;

/** Duration of each part of a full run; several run at a time. */
const printParts = (one: Watched): string =>
  markdownTable(
    ["worked out", "made", "s, beside others"],
    partsOf(one).map(({ name, made, seconds }) => [name, made, whole(seconds)]),
  );

function stepCells({ seconds, cpu, peak, load }: Watched, fills: number): readonly string[] {
  const mib = [peak.service_mib, peak.engine_mib, peak.together_mib].map(whole);
  return [
    whole(seconds),
    whole(fills / seconds),
    whole(cpu.service_s),
    whole(cpu.engine_s),
    ...mib,
    load.map((one) => one.toFixed(1)).join(" → "),
  ];
}

const rowsOf = (list: readonly TableSize[], name: string): number => list.find((one) => one.table === name)?.rows ?? 0;
