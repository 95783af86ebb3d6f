import { loadavg } from "node:os";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { openTestQuery } from "../../packages/server/test/fixtures/open-test-query.ts";
import { percentile } from "../scale/percentile.ts";
import { engineEvents, perTurn } from "./engine-events.ts";
import { pageMemory } from "./page-memory.ts";

export type PageQuestion = {
  readonly name: string;
  readonly agentId: number;
  readonly params: (turn: number) => Record<string, string>;
};

export type PageCost = {
  readonly question: string;
  readonly turns: number;
  /** Rows of the answers on the mean. */
  readonly answered: number;
  readonly ms_p50: number;
  readonly ms_p95: number;
  /** Of the engine, and of this process with parsing, planning and rendering. */
  readonly engine_cpu_ms: number;
  readonly service_cpu_ms: number;
  readonly rows: number;
  readonly marks: number;
  /** What the engine needs for the dearest of some pages. */
  readonly memory_mib: number;
  readonly load: number;
};

const LIMIT = 100;
const WARM = 3;
const MEMORY_TURNS = 20;

/** Pages of a hundred rows, asked one after the other through the service's query path. */
export async function pageCost(store: OpenStore, question: PageQuestion, turns: number): Promise<PageCost> {
  const query = openTestQuery(store);
  const ask = async (turn: number): Promise<number> => {
    const { agentId, params } = question;
    return (await query.answer(agentId, { params: params(turn), pagination: { limit: LIMIT } })).rowCount;
  };
  for (let turn = 0; turn < WARM; turn += 1) await ask(turns + turn);
  const taken: number[] = [];
  let answered = 0;
  const [engineBefore, serviceBefore] = [await engineEvents(store), process.cpuUsage()];
  for (let turn = 0; turn < turns; turn += 1) {
    const began = performance.now();
    answered += await ask(turn);
    taken.push(performance.now() - began);
  }
  const service = process.cpuUsage(serviceBefore);
  const each = perTurn(engineBefore, await engineEvents(store), turns);
  return {
    question: question.name,
    turns,
    answered: tenth(answered / turns),
    ms_p50: tenth(percentile(taken, 0.5)),
    ms_p95: tenth(percentile(taken, 0.95)),
    engine_cpu_ms: tenth(each.cpu_us / 1_000),
    service_cpu_ms: tenth((service.user + service.system) / 1_000 / turns),
    rows: Math.round(each.rows),
    marks: Math.round(each.marks),
    memory_mib: tenth((await pageMemory(store, question, Math.min(turns, MEMORY_TURNS))) / 2 ** 20),
    load: tenth(loadavg()[0] ?? Number.NaN),
  };
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
