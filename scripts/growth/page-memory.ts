import { CallerError } from "../../packages/server/src/definition/errors.ts";
import { StoreError } from "../../packages/server/src/store/store-error.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { openTestQuery } from "../../packages/server/test/fixtures/open-test-query.ts";
import type { PageQuestion } from "./page-costs.ts";

const LEAST_BYTES = 2 ** 20;
const MOST_BYTES = 2 ** 31;
const STEP = 1.1;
/** The engine notices memory in pieces of this size. */
const EXACT = { max_untracked_memory: 16_384 };
const LIMIT = 100;

/** The memory that the engine needs for any of so many pages, to a tenth: each is asked with too little first. */
export async function pageMemory(store: OpenStore, question: PageQuestion, turns: number): Promise<number> {
  let bytes = LEAST_BYTES;
  for (let turn = 0; turn < turns; turn += 1) {
    while (!(await fits(store, question, turn, bytes))) {
      bytes *= STEP;
      if (bytes > MOST_BYTES) throw new Error(`${question.name} needs more than 2 GiB of the engine`);
    }
  }
  return bytes;
}

async function fits(
  store: OpenStore,
  { agentId, params }: PageQuestion,
  turn: number,
  bytes: number,
): Promise<boolean> {
  const settings = { ...EXACT, max_memory_usage: Math.floor(bytes) };
  const read: OpenStore["read"] = (statement, reading = {}) =>
    store.read(statement, { ...reading, settings: { ...reading.settings, ...settings } });
  try {
    // Anew, since it keeps answers.
    await openTestQuery({ ...store, read }).answer(agentId, { params: params(turn), pagination: { limit: LIMIT } });
    return true;
  } catch (error) {
    const cause = error instanceof CallerError ? error.cause : undefined;
    if (cause instanceof StoreError && cause.kind === "memory") return false;
    throw error;
  }
}
