import type { Ask, Page } from "../verify/ask.ts";

/** Ages in real milliseconds at which rows were first returned, oldest request first. */
export type Ages = number[];

export type Newest = {
  readonly agentId: number;
  readonly params: Readonly<Record<string, string>>;
  /** The field with the time at which the exchange reported the row. */
  readonly timestamp: string;
  /** Returns the identity of a row. */
  readonly idOf: (row: Page["rows"][number]) => string;
};

const PAGE = 200;
const MAX_SEEN = 100_000;

/**
 * Polls the newest rows until stopped. A row's age at the first response that has it is the real time since the
 * exchange sent it; rows of the first response do not count.
 */
export async function probeNewest(
  ask: Ask,
  { agentId, params, timestamp, idOf }: Newest,
  sinceSent: (worldMs: number) => number,
  { pauseMs, signal }: { readonly pauseMs: number; readonly signal: AbortSignal },
): Promise<Ages> {
  const seen = new Set<string>();
  const ages: Ages = [];
  let isFirst = true;
  while (!signal.aborted) {
    const { rows } = await ask(agentId, params, { limit: PAGE });
    for (const row of rows) {
      const id = idOf(row);
      if (seen.has(id)) continue;
      seen.add(id);
      if (!isFirst) ages.push(sinceSent(Date.parse(String(row[timestamp]))));
    }
    if (seen.size > MAX_SEEN) throw new Error(`${agentId} gave more than ${MAX_SEEN} rows: ask for less`);
    isFirst = false;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return ages;
}
