import type { Ask, Page } from "../verify/ask.ts";

/** Ages in real milliseconds at which rows were first answered, oldest question first. */
export type Ages = number[];

export type Newest = {
  readonly agentId: number;
  readonly params: Readonly<Record<string, string>>;
  /** The field with the moment at which the exchange told of the row. */
  readonly moment: string;
  /** What tells one row from another. */
  readonly idOf: (row: Page["rows"][number]) => string;
};

const PAGE = 200;
const MOST_SEEN = 100_000;

/**
 * Asks for the newest rows again and again until stopped. A row's age at the first answer that has it is real time since
 * the moment the exchange gave it; rows of before the first answer do not count.
 */
export async function probeNewest(
  ask: Ask,
  { agentId, params, moment, idOf }: Newest,
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
      if (!isFirst) ages.push(sinceSent(Date.parse(String(row[moment]))));
    }
    if (seen.size > MOST_SEEN) throw new Error(`${agentId} gave more than ${MOST_SEEN} rows: ask for less`);
    isFirst = false;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return ages;
}
