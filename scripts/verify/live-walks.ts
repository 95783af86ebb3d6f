import { setTimeout as sleep } from "node:timers/promises";
import { byCursor } from "./ask.ts";
import type { Running } from "./scene.ts";
import type { Row } from "./tally.ts";

/** All rows of 556 by one walk: id → leg. What it repeats is written into `problems`. */
export async function walkFills(
  running: Running,
  options: { readonly limit: number; readonly pauseMs: number; readonly problems: string[] },
): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  for await (const rows of byCursor(running.ask, { agentId: 556, params: {}, limit: options.limit })) {
    for (const row of rows) {
      const id = String(row["id"]);
      if (seen.has(id)) options.problems.push(`a cursor walk gave ${id} twice`);
      seen.set(id, legOf(row));
    }
    await sleep(options.pauseMs);
  }
  return seen;
}

/** An early row and the one that takes its place have this in common, and their ids not. */
const LEG = ["transaction_hash", "proxy_wallet", "token_id", "side", "size"] as const;
const legOf = (row: Row): string => LEG.map((field) => String(row[field])).join(" ");

/** Walks again and again while rows arrive: no walk may repeat a row, or lose one that an earlier walk saw. */
export async function walkWhileLive(
  running: Running,
  options: { readonly seconds: number; readonly limit: number; readonly problems: string[] },
): Promise<{ readonly walks: number; readonly rowsGained: number }> {
  const until = Date.now() + options.seconds * 1000;
  const { limit, problems } = options;
  let before = await walkFills(running, { limit, problems, pauseMs: 0 });
  const first = before.size;
  let walks = 1;
  while (Date.now() < until) {
    const now = await walkFills(running, { limit, problems, pauseMs: 50 });
    const legs = new Set(now.values());
    for (const [id, leg] of before)
      if (!now.has(id) && !legs.has(leg)) problems.push(`a cursor walk lost ${id} while rows arrived`);
    before = now;
    walks += 1;
  }
  return { walks, rowsGained: before.size - first };
}
