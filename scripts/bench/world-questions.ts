import { asker, type Ask } from "../verify/ask.ts";

/** What was asked while the world ran: how long each answer took, in milliseconds. */
export type Asked = readonly {
  readonly question: string;
  readonly asked: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
}[];

const PAUSE_MS = 100;

/** Asks a few questions one after another, with a pause after each, until stopped. */
export function askRegularly(baseUrl: string, key: string): { readonly stop: () => Promise<Asked> } {
  const ask = asker(baseUrl, key);
  const taken = new Map<string, { ms: number[]; failed: number }>();
  const over = new AbortController();
  const run = async (): Promise<Asked> => {
    while (!over.signal.aborted) {
      for (const [question, put] of await questions(ask)) {
        const kept = taken.get(question) ?? { ms: [], failed: 0 };
        taken.set(question, kept);
        const started = performance.now();
        await put().catch(() => (kept.failed += 1));
        kept.ms.push(performance.now() - started);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        if (over.signal.aborted) break;
      }
    }
    return [...taken].map(([question, { ms, failed }]) => summary(question, ms, failed));
  };
  const running = run();
  return {
    stop: () => {
      over.abort();
      return running;
    },
  };
}

/** Of the market traded last, so that the questions change as the world goes on. */
async function questions(ask: Ask): Promise<readonly (readonly [string, () => Promise<unknown>])[]> {
  const limit = { limit: 100 };
  const [trade] = (await ask(556, {}, { limit: 1 }).catch(() => ({ rows: [] }))).rows;
  const token = String(trade?.["token_id"] ?? "1");
  return [
    ["556 newest of all", () => ask(556, {}, limit)],
    ["556 of a token", () => ask(556, { token_id: token }, limit)],
    ["572 newest books of a token", () => ask(572, { token_id: token }, limit)],
    ["568 minutes of a token", () => ask(568, { token_id: token }, limit)],
    ["574 largest markets", () => ask(574, {}, limit)],
    ["573 Kalshi's largest markets", () => ask(573, { start_time: "2020-01-01" }, limit)],
    ["565 most traded", () => ask(565, {}, limit)],
  ];
}

function summary(question: string, given: readonly number[], failed: number): Asked[number] {
  const ms = given.toSorted((a, b) => a - b);
  const at = (share: number): number => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? Number.NaN;
  return { question, asked: ms.length, failed, p50: at(0.5), p99: at(0.99) };
}
