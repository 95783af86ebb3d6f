import type { Measured } from "../latency.ts";
import { markdownTable } from "../markdown-table.ts";
import { MIX_NAMES, type MixName } from "./mixes.ts";
import type { SideName } from "./sides.ts";

export type PeerLine = Measured & {
  readonly mix: MixName;
  readonly side: SideName;
  readonly clients: number;
  /** CPU of all processes of the side, in milliseconds per request. */
  readonly cpuMs: number;
  /** Pages that the column engine answered though their dataset has a serving index. */
  readonly enginePages: number;
};
export type Ratios = {
  /** Our requests per second over the peer's. */
  readonly ratios: Readonly<Record<string, number>>;
  /** The peer's CPU per request over ours. */
  readonly cpu_ratios: Readonly<Record<string, number>>;
};

const SIDES: readonly SideName[] = ["almanac", "postgres", "bare"];
const rounded = (value: number): number => Number(value.toPrecision(3));

/** Our ratios to PostgreSQL by mix, and to bare node:http, at this many clients. */
export function ratiosOf(lines: readonly PeerLine[], clients: number): Ratios {
  const ratios: Record<string, number> = {};
  const cpu_ratios: Record<string, number> = {};
  const find = (mix: MixName, side: SideName): PeerLine | undefined =>
    lines.find((line) => line.mix === mix && line.side === side && line.clients === clients);
  const add = (name: string, ours: PeerLine | undefined, theirs: PeerLine | undefined): void => {
    if (!ours || !theirs) return;
    ratios[name] = rounded(ours.perSecond / theirs.perSecond);
    cpu_ratios[name] = rounded(theirs.cpuMs / ours.cpuMs);
  };
  for (const mix of MIX_NAMES) add(mix, find(mix, "almanac"), find(mix, "postgres"));
  add("bare_poller", find("poller", "almanac"), find("poller", "bare"));
  return { ratios, cpu_ratios };
}

/** All lines as a Markdown table, the sides of a mix grouped together. */
export function tableOf(lines: readonly PeerLine[]): string {
  const heads = ["mix", "clients", "side", "requests/s", "p50 ms", "p99 ms", "CPU ms a request", "failed", "by engine"];
  const sorted = lines.toSorted(
    (a, b) =>
      MIX_NAMES.indexOf(a.mix) - MIX_NAMES.indexOf(b.mix) ||
      a.clients - b.clients ||
      SIDES.indexOf(a.side) - SIDES.indexOf(b.side),
  );
  const cells = sorted.map((line) => [
    line.mix,
    String(line.clients),
    line.side,
    line.perSecond.toFixed(1),
    line.p50.toFixed(2),
    line.p99.toFixed(1),
    line.cpuMs.toFixed(3),
    String(line.failed),
    String(line.enginePages),
  ]);
  return markdownTable(heads, cells);
}
