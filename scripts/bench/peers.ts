import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { measure } from "./latency.ts";
import { waitForRest, treeCpuSeconds } from "./process-use.ts";
import { chartOf } from "./peers/chart.ts";
import { compareAnswers } from "./peers/compare-answers.ts";
import { fillPostgres } from "./peers/fill-postgres.ts";
import { TABLES } from "./peers/postgres-tables.ts";
import { readPeerIds, type PeerIds } from "./peers/ids.ts";
import { boardQuestions, makeMixes, walletQuestions, type Requested, type Mix } from "./peers/mixes.ts";
import { startPostgresOn } from "./peers/postgres-server.ts";
import { ratiosOf, tableOf, type PeerLine } from "./peers/report.ts";
import { startAlmanac, startBare, startPostgresSide, type Side } from "./peers/sides.ts";
import { benchStoring } from "./peers/storing.ts";
import { derivedStoreOfWorld, report, withStore } from "./store-of-world.ts";

export type PeersBench = {
  readonly fills: number;
  /** Folder where the world, its store and PostgreSQL's tables are created and kept. */
  readonly data: string;
  readonly seconds: number;
  readonly clients: readonly number[];
  /** Run only the mixes of these names; all when empty. */
  readonly only: readonly string[];
  /** The file the chart is written to; none when empty. */
  readonly chart: string;
  /** Whether the last line printed is the ratios as JSON. */
  readonly json: boolean;
};

const COMPARED = 40;
/** Number of clients at which the ratios are taken. */
const RATIO_CLIENTS = 16;
/** Warm-up per mix and side: by then the code that answers it is compiled. */
const WARM_SECONDS = 6;
/** Enough turns of a repeating mix to cover all of its queries. */
const POLLED = 8;

/** Compares Almanac with a plain service on PostgreSQL and with bare node:http, on the same rows and queries. */
export async function benchPeers({ fills, data, seconds, clients, only, chart, json }: PeersBench): Promise<void> {
  const { store, postgres, ids } = await built(fills, data);
  const mixes = makeMixes(ids).filter(({ name }) => only.length === 0 || only.includes(name));
  const sides: Side[] = [];
  const lines: PeerLine[] = [];
  const load = loadavg()[0] ?? Number.NaN;
  try {
    const ours = await startAlmanac(store);
    sides.push(ours);
    const theirs = await startPostgresSide(postgres);
    sides.push(theirs);
    for (const mix of mixes) {
      const rows = await compareAnswers(mix, ours, theirs, COMPARED);
      report(`${mix.name}: ${COMPARED} answers are equal, ${rows} rows`);
    }
    for (const { name, pids } of sides)
      if (!(await waitForRest(pids))) report(`${name} still works beside what it is asked`);
    for (const mix of mixes) {
      const measured = [ours, theirs];
      if (mix.name === "poller") measured.push(await startBare(data, ours, firstOf(mix, POLLED)));
      sides.push(...measured.slice(2));
      for (const side of measured) lines.push(...(await measureSide(side, mix, seconds, clients)));
    }
  } finally {
    for (const side of sides.toReversed()) await side.stop();
  }
  const result = ratiosOf(lines, RATIO_CLIENTS);
  const note = { at: new Date().toISOString(), fills, seconds, load, lines, ...result };
  writeFileSync(join(data, "bench-peers.json"), JSON.stringify(note, null, 1));
  if (chart !== "")
    writeFileSync(chart, chartOf(result, `${fills.toLocaleString("en")} fills, ${RATIO_CLIENTS} clients`));
  if (lines.length > 0) process.stdout.write(`${tableOf(lines)}\n`);
  if (only.length === 0 || only.includes("storing")) {
    const [trades] = makeMixes(ids);
    process.stdout.write(`${await benchStoring(store, ids, trades as Mix, seconds)}\n`);
  }
  for (const { name, about } of mixes) process.stdout.write(`${name}: ${about}\n`);
  if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
}

const firstOf = (mix: Mix, count: number): Requested[] =>
  Array.from({ length: count }, (_, turn) => mix.questionAt(turn));

/** Measures one side with more and more clients. Turns continue across runs, so that a mix of new queries stays new. */
async function measureSide(side: Side, mix: Mix, seconds: number, clients: readonly number[]): Promise<PeerLine[]> {
  const lines: PeerLine[] = [];
  const isGood = async (question: Requested): Promise<boolean> => (await side.ask(question)).isGood;
  const warm = await measure(RATIO_CLIENTS, WARM_SECONDS, (turn) => isGood(mix.questionAt(COMPARED + turn)));
  let begun = COMPARED + warm.requested;
  for (const count of clients) {
    const [before, pagesBefore] = [treeCpuSeconds(side.pids), await side.enginePages?.()];
    const measured = await measure(count, seconds, (turn) => isGood(mix.questionAt(begun + turn)));
    begun += measured.requested;
    const cpuMs = ((treeCpuSeconds(side.pids) - before) * 1000) / measured.requested;
    const enginePages = ((await side.enginePages?.()) ?? 0) - (pagesBefore ?? 0);
    lines.push({ ...measured, mix: mix.name, side: side.name, clients: count, cpuMs, enginePages });
    report(
      `${mix.name} ${side.name} ${count} clients: ${measured.perSecond.toFixed(1)}/s, ${cpuMs.toFixed(3)} ms of CPU`,
    );
  }
  if (begun > (mix.newUntil ?? begun))
    report(`${mix.name} ${side.name}: ${begun} questions, new until ${mix.newUntil}`);
  return lines;
}

type Built = { readonly store: string; readonly postgres: string; readonly ids: PeerIds };

/** The world, its store with all derived tables, and PostgreSQL's tables of it; creates what the folder lacks. */
async function built(fills: number, folder: string): Promise<Built> {
  const { store } = await derivedStoreOfWorld(fills, folder);
  const ids = await withStore(store, readPeerIds);
  const postgres = resolve(folder, `postgres-${fills}`);
  const filled = join(postgres, "filled");
  const kept = [...boardQuestions(ids), ...walletQuestions(ids)];
  const filledFor = JSON.stringify([kept, TABLES]);
  if (!existsSync(filled) || readFileSync(filled, "utf8") !== filledFor) {
    report("filling PostgreSQL");
    const server = await startPostgresOn(postgres);
    try {
      await withStore(store, (from) => fillPostgres(from, server.url, kept));
    } finally {
      await server.stop();
    }
    // Other queries need other kept answers, and other tables other rows: then everything is filled again.
    writeFileSync(filled, filledFor);
  }
  return { store, postgres, ids };
}
