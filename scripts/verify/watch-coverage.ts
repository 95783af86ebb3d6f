import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "./scene.ts";

const REQUESTED = [
  { agentId: 556, params: {} },
  { agentId: 573, params: {} },
] as const;
const EVERY_MS = 200;
/** Stream checkpoints and coverage answers may be this stale. */
const COMPLETE_WITHIN_MS = 40_000;

/**
 * Polls during backfill whether everything since a time is stored: it must be no until it is, then yes. `end` waits for
 * the yes and returns the problems.
 */
export function watchCoverage(
  running: Running,
  start_time: string,
): { readonly end: () => Promise<readonly string[]> } {
  const asking = new AbortController();
  const said = new Map<number, boolean[]>(REQUESTED.map(({ agentId }) => [agentId, []]));
  const look = async (): Promise<void> => {
    for (const { agentId, params } of REQUESTED) {
      const { coverage } = await running.ask(agentId, { ...params, start_time }, { limit: 1 });
      if (!asking.signal.aborted) said.get(agentId)?.push(coverage.complete);
    }
  };
  const watching = (async () => {
    while (!asking.signal.aborted) {
      await look();
      await sleep(EVERY_MS);
    }
  })();
  return {
    end: async () => {
      asking.abort();
      await watching;
      const problems: string[] = [];
      for (const { agentId, params } of REQUESTED) {
        const answers = said.get(agentId) ?? [];
        if (answers[0] !== false) problems.push(`${agentId} was called complete before its past was gathered`);
        const why = await untilComplete(running, agentId, { ...params, start_time });
        if (why !== undefined) problems.push(`${agentId} is not complete after its past was gathered: ${why}`);
      }
      return problems;
    },
  };
}

async function untilComplete(
  { ask }: Running,
  agentId: number,
  params: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const until = Date.now() + COMPLETE_WITHIN_MS;
  for (;;) {
    const { coverage } = await ask(agentId, params, { limit: 1 });
    if (coverage.complete) return undefined;
    if (Date.now() > until) return JSON.stringify(coverage).slice(0, 600);
    await sleep(500);
  }
}
