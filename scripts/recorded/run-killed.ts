import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { House } from "./open-house.ts";
import type { Part } from "./run-recorded.ts";
import type { StreamCount } from "./stream-count.ts";

const LIFE = join(import.meta.dirname, "killed-life.ts");

export type LifeOrders = { readonly dir: string; readonly folder: string; readonly part: Part };
export type LifeSaid =
  | { readonly opened: true }
  | { readonly count: StreamCount }
  | { readonly harm: ReturnType<House["harm"]> };

/** kill -9, so long after so many streams were done. */
type RecordedKill = { readonly streams: number; readonly milliseconds: number };

/** In the middle of the catalogues, of the trades by wallet, and of the market websocket. */
const KILLS: readonly RecordedKill[] = [
  { streams: 0, milliseconds: 400 },
  { streams: 3, milliseconds: 250 },
  { streams: 12, milliseconds: 1500 },
];

type KilledRun = {
  /** Of the last life, which goes through everything. */
  readonly counts: readonly StreamCount[];
  /** Lives that kill -9 ended in the middle of a stream. */
  readonly killed: number;
  /** What was done to the last life. */
  readonly harm?: ReturnType<House["harm"]>;
};

/**
 * The recorded run over one data folder in several lives: each but the last is ended by kill -9 and the next one goes
 * on with what it finds. All of it under cuts; what is stored at the end must be what was recorded, once.
 */
export async function runKilled(dir: string, part: Part, kills: readonly RecordedKill[] = KILLS): Promise<KilledRun> {
  const folder = mkdtempSync(join(tmpdir(), "almanac-recorded-"));
  try {
    let killed = 0;
    for (const kill of kills) if ((await live({ dir, folder, part }, kill)).isKilled) killed += 1;
    const { counts, harm } = await live({ dir, folder, part });
    return { counts, killed, ...(harm && { harm }) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function live(orders: LifeOrders, kill?: RecordedKill) {
  const child = spawn(process.execPath, [LIFE, JSON.stringify(orders)], {
    // The channel says nothing; it ends with this process, and the life with it.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" },
  });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new TypeError("a life without its pipes");
  let complaint = "";
  stderr.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString("utf8")).slice(-4000)));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const counts: StreamCount[] = [];
  let harm: ReturnType<House["harm"]> | undefined;
  for await (const line of createInterface({ input: stdout })) {
    const said = JSON.parse(line) as LifeSaid;
    if ("harm" in said) harm = said.harm;
    if ("count" in said) counts.push(said.count);
    if (kill?.streams !== counts.length || "harm" in said) continue;
    await sleep(kill.milliseconds);
    child.kill("SIGKILL");
    break;
  }
  const code = await ended;
  const isKilled = child.signalCode === "SIGKILL";
  if (code !== 0 && !isKilled) throw new Error(`a life of the recorded run ended with ${code}: ${complaint}`);
  return { counts, isKilled, harm };
}
