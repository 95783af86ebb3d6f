import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "undici";
import { bodyOf, ENDPOINT } from "../ask-question.ts";
import type { Kind, Paid } from "./mix.ts";

/** Measured from when the request was due, not when it was sent: time spent queued counts. */
export type Latency = { readonly kind: Kind; readonly ms: number; readonly status: string };

export type Pace = { readonly rate: number; readonly seconds: number; readonly from: number };

/** Sends this many requests per second, however long responses take, and returns each latency. */
export async function askAtRate(
  ask: (question: Paid) => Promise<string>,
  questionAt: (turn: number) => Paid,
  { rate, seconds, from }: Pace,
): Promise<Latency[]> {
  const began = performance.now();
  const requested: Promise<Latency>[] = [];
  for (let turn = 0; turn < rate * seconds; turn += 1) {
    const due = began + (turn * 1000) / rate;
    // Timers truncate to whole milliseconds and may fire early: a request sent before it is due would look faster.
    for (let wait = due - performance.now(); wait > 0; wait = due - performance.now()) await sleep(Math.ceil(wait));
    const question = questionAt(from + turn);
    requested.push(ask(question).then((status) => ({ kind: question.kind, ms: performance.now() - due, status })));
  }
  return Promise.all(requested);
}

/** Sends requests over HTTP; returns the status, or the error code of a failed connection. */
export const payingAsk =
  (pool: Pool, key: string) =>
  ({ agentId, params, limit }: Paid): Promise<string> =>
    statusOf(pool, key, bodyOf(agentId, params, limit));

/** Status of a response that was read to its end. */
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

/** Number of occurrences of each text. */
export function countsOf(texts: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
