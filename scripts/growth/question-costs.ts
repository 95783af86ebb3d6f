import { loadavg } from "node:os";
import type { openStore } from "../../packages/server/src/store/open-store.ts";
import { askEngine } from "../bench/ask-question.ts";
import { benchQuestions, type BenchQuestion } from "../bench/questions.ts";
import { engineEvents, perTurn } from "./engine-events.ts";

type OpenStore = Awaited<ReturnType<typeof openStore>>;

export type QuestionCost = {
  readonly question: string;
  readonly turns: number;
  /** Of one turn; the fastest is what a quiet machine would take at most. */
  readonly ms_p50: number;
  readonly ms_fastest: number;
  /** Of the engine, a turn; merges that run meanwhile are in it. */
  readonly cpu_ms: number;
  readonly marks: number;
  readonly rows: number;
  readonly kib: number;
  /** Of the machine while it was asked. */
  readonly load: number;
};

/** Each question of the benchmarks, asked one after the other; those that fail (a table not worked out) are left out. */
export async function questionCosts(
  store: OpenStore,
  { turns, only }: { readonly turns: number; readonly only: readonly string[] },
): Promise<readonly QuestionCost[]> {
  const all = await benchQuestions(store);
  const chosen = all.filter(({ name }) => only.length === 0 || only.some((one) => name.startsWith(one)));
  const costs: QuestionCost[] = [];
  for (const question of chosen) {
    const cost = await costOf(store, question, turns).catch(() => undefined);
    if (cost !== undefined) costs.push(cost);
  }
  return costs;
}

export async function costOf(store: OpenStore, question: BenchQuestion, turns: number): Promise<QuestionCost> {
  for (let turn = 0; turn < 3; turn += 1) await askEngine(store, question, 1_000_000 + turn);
  const taken: number[] = [];
  const before = await engineEvents(store);
  for (let turn = 0; turn < turns; turn += 1) {
    const began = performance.now();
    await askEngine(store, question, turn);
    taken.push(performance.now() - began);
  }
  const each = perTurn(before, await engineEvents(store), turns);
  const sorted = taken.toSorted((a, b) => a - b);
  return {
    question: question.name,
    turns,
    ms_p50: rounded(sorted[Math.floor(turns / 2)] ?? Number.NaN),
    ms_fastest: rounded(sorted[0] ?? Number.NaN),
    cpu_ms: rounded(each.cpu_us / 1_000),
    marks: Math.round(each.marks),
    rows: Math.round(each.rows),
    kib: Math.round(each.bytes / 1_024),
    load: rounded(loadavg()[0] ?? Number.NaN),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
