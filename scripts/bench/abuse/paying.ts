import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "undici";
import { bodyOf, ENDPOINT } from "../ask-question.ts";
import type { Kind, Paid } from "./mix.ts";

/** From the moment it was due, whenever it was sent: a question that had to wait for its turn has waited. */
export type Latency = { readonly kind: Kind; readonly ms: number; readonly status: string };

export type Pace = { readonly rate: number; readonly seconds: number; readonly from: number };

/** Asks so many a second, however long answers take, and gives how long each took. */
export async function askAtRate(
  ask: (question: Paid) => Promise<string>,
  questionAt: (turn: number) => Paid,
  { rate, seconds, from }: Pace,
): Promise<Latency[]> {
  const began = performance.now();
  const asked: Promise<Latency>[] = [];
  for (let turn = 0; turn < rate * seconds; turn += 1) {
    const due = began + (turn * 1000) / rate;
    // A timer cuts its wait to whole milliseconds and may be early: what is asked before it is due would seem quicker.
    for (let wait = due - performance.now(); wait > 0; wait = due - performance.now()) await sleep(Math.ceil(wait));
    const question = questionAt(from + turn);
    asked.push(ask(question).then((status) => ({ kind: question.kind, ms: performance.now() - due, status })));
  }
  return Promise.all(asked);
}

/** Asks over HTTP; gives the status, or the code of what went wrong with the connection. */
export const payingAsk =
  (pool: Pool, key: string) =>
  ({ agentId, params, limit }: Paid): Promise<string> =>
    statusOf(pool, key, bodyOf(agentId, params, limit));

/** The status of an answer that was read to its end. */
export async function statusOf(pool: Pool, key: string, body: string): Promise<string> {
  try {
    const response = await pool.request({
      path: ENDPOINT,
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body,
    });
    await response.body.dump({ limit: Number.MAX_SAFE_INTEGER });
    return String(response.statusCode);
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code ?? (error as Error).name);
  }
}

/** How often each was. */
export function countsOf(texts: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
