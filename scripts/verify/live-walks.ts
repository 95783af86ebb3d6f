import { setTimeout as sleep } from "node:timers/promises";
import { byCursor } from "./ask.ts";
import type { Running } from "./scene.ts";

/** The ids of all rows of 556 by one walk. Adds ids that it repeats to `problems`. */
export async function walkFills(
  running: Running,
  options: { readonly limit: number; readonly pauseMs: number; readonly problems: string[] },
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  for await (const rows of byCursor(running.ask, { agentId: 556, params: {}, limit: options.limit })) {
    for (const row of rows) {
      const id = String(row["id"]);
      if (seen.has(id)) options.problems.push(`a cursor walk gave ${id} twice`);
      seen.add(id);
    }
    await sleep(options.pauseMs);
  }
  return seen;
}

/** Walks up to this many times as long as requested while no new row has arrived. */
const MAX_TIMES = 12;

/** Walks repeatedly while rows arrive: no walk may repeat a row, or lose one that an earlier walk returned. */
export async function walkWhileLive(
  running: Running,
  options: { readonly seconds: number; readonly limit: number; readonly problems: string[] },
): Promise<{ readonly walks: number; readonly rowsGained: number }> {
  const began = Date.now();
  const { limit, problems } = options;
  let before = await walkFills(running, { limit, problems, pauseMs: 0 });
  const first = before.size;
  let walks = 1;
  const isOver = (): boolean => {
    const share = (Date.now() - began) / (options.seconds * 1000);
    return share >= 1 && (share >= MAX_TIMES || before.size > first);
  };
  while (!isOver()) {
    const now = await walkFills(running, { limit, problems, pauseMs: 200 });
    for (const id of before) if (!now.has(id)) problems.push(`a cursor walk lost ${id} while rows arrived`);
    before = now;
    walks += 1;
  }
  return { walks, rowsGained: before.size - first };
}
