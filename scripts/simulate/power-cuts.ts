import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultCounts } from "../campaign/fault-watch.ts";
import type { Random } from "../campaign/random.ts";

/** Ends a service process with a power cut: only part of its last writes to the serving index files is on the disk. */
export type PowerCut = {
  /** The process that it ends, counted from one. */
  readonly life: number;
  /** The end of the writes is missing, a page is half written, or earlier pages are missing while later ones exist. */
  readonly way: "lost_tail" | "torn_page" | "reordered_writes";
  /** At most this many of a file's last written pages were not on the disk yet. */
  readonly maxPages: number;
  /** The disk lost data it had acknowledged, so that synced files are hit too. */
  readonly isLying: boolean;
};

/** File path in the folder → contents. */
type Files = ReadonlyMap<string, Buffer>;

const PAGE = 4096;
const INDEX = "index.db";
const FILES = [`*/*/${INDEX}`, `*/*/${INDEX}-wal`, "*/rows"];
const HIT_SHARE = 0.7;

export function readFiles(folder: string): Files {
  const names = globSync(FILES, { cwd: folder }).toSorted();
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Leaves files as a power cut may, given their contents at the process's start; returns the names of changed ones. */
export function tearFiles(folder: string, before: Files, cut: PowerCut, random: Random): string[] {
  return [...readFiles(folder)].flatMap(([name, whole]) => {
    const old = before.get(name) ?? Buffer.alloc(0);
    const pages = pagesAtRisk(name, whole, old, cut);
    const [first, ...others] = pages;
    if (first === undefined || !random.chance(HIT_SHARE)) return [];
    const left = ways[cut.way](whole, old, [first, ...others], random);
    if (left.equals(whole)) return [];
    writeFileSync(join(folder, name), left);
    return [name];
  });
}

/** Pages that the process wrote last. Existing index pages are in the synced log when they are overwritten. */
function pagesAtRisk(name: string, whole: Buffer, old: Buffer, { maxPages, isLying }: PowerCut): number[] {
  const isSynced = name.endsWith(INDEX);
  if (isSynced && !isLying) return [];
  const from = isSynced ? Math.ceil(old.length / PAGE) : 0;
  const pages = Array.from({ length: Math.ceil(whole.length / PAGE) }, (_, page) => page);
  return pages.filter((page) => page >= from && !pageOf(whole, page).equals(pageOf(old, page))).slice(-maxPages);
}

const pageOf = (bytes: Buffer, page: number): Buffer => bytes.subarray(page * PAGE, (page + 1) * PAGE);

type Way = (whole: Buffer, old: Buffer, pages: readonly [number, ...number[]], random: Random) => Buffer;

const ways: Readonly<Record<PowerCut["way"], Way>> = {
  lost_tail: (whole, old, pages, random) => {
    const at = random.pick(pages) * PAGE + random.whole(0, PAGE - 1);
    return Buffer.concat([whole.subarray(0, at), old.subarray(at)]);
  },
  torn_page: (whole, old, pages, random) => {
    const page = random.pick(pages);
    return withOld(whole, old, page * PAGE + PAGE / 2, (page + 1) * PAGE);
  },
  reordered_writes: (whole, old, pages, random) => {
    const earlier = random.shuffled(pages.slice(0, -1));
    const missing = earlier.slice(0, random.whole(1, Math.max(1, earlier.length)));
    return missing.reduce((left, page) => withOld(left, old, page * PAGE, (page + 1) * PAGE), whole);
  },
};

/** Restores the old bytes of a range; beyond the end of the old file it becomes zeros. */
function withOld(whole: Buffer, old: Buffer, from: number, to: number): Buffer {
  const left = Buffer.from(whole);
  left.fill(0, from, Math.min(to, left.length));
  old.subarray(from, to).copy(left, from);
  return left;
}

/** The power cuts of a run. */
export class PowerCuts {
  readonly #cuts: readonly PowerCut[];
  readonly #random: Random;
  readonly #folder: string;
  #before: Files = new Map();
  readonly #torn = new Map<PowerCut, readonly string[]>();

  /** `folder`: the folder of the serving indexes. */
  constructor(cuts: readonly PowerCut[], random: Random, folder: string) {
    this.#cuts = cuts;
    this.#random = random;
    this.#folder = folder;
  }

  /** Called when a process begins. */
  begin(): void {
    this.#before = readFiles(this.#folder);
  }

  /** Called when a process has ended and holds no file open. Returns the files left incomplete. */
  end(life: number): readonly string[] {
    const cut = this.#cuts.find((each) => each.life === life);
    if (cut === undefined) return [];
    const torn = tearFiles(this.#folder, this.#before, cut, this.#random);
    this.#torn.set(cut, torn);
    return torn;
  }

  /** Per way: the number of planned power cuts, and how many files they left incomplete. */
  counts(): FaultCounts {
    const [injected, strikes]: [Record<string, number>, Record<string, { planned: number; struck: number }>] = [{}, {}];
    for (const cut of this.#cuts) {
      const files = this.#torn.get(cut)?.length ?? 0;
      const sum = (strikes[cut.way] ??= { planned: 0, struck: 0 });
      sum.planned += 1;
      sum.struck += files > 0 ? 1 : 0;
      if (files > 0) injected[cut.way] = (injected[cut.way] ?? 0) + files;
    }
    return { injected, strikes };
  }
}
