import type { Ages } from "./freshness-newest.ts";

/** Volume by market, which only grows. */
export type Volumes = ReadonlyMap<string, number>;

type Told = { readonly at: number; readonly volume: number };

/**
 * Reads the volumes of some markets at the venue's door and in the service's answers, until stopped. A volume's age at
 * the first answer that has it, or a later one, is real time since the door was first seen to tell it.
 */
export async function probeDoor(
  door: () => Promise<Volumes>,
  answer: () => Promise<Volumes>,
  { pauseMs, signal }: { readonly pauseMs: number; readonly signal: AbortSignal },
): Promise<Ages> {
  const waiting = new Map<string, Told[]>();
  const last = new Map<string, number>();
  const ages: Ages = [];
  const atDoor = async (): Promise<void> => {
    const volumes = await door();
    const at = performance.now();
    for (const [market, volume] of volumes) {
      const before = last.get(market);
      last.set(market, volume);
      if (before === undefined || volume <= before) continue;
      waiting.set(market, [...(waiting.get(market) ?? []), { at, volume }]);
    }
  };
  const inAnswers = async (): Promise<void> => {
    const volumes = await answer();
    const at = performance.now();
    for (const [market, volume] of volumes) {
      const told = waiting.get(market) ?? [];
      const here = told.filter((one) => one.volume <= volume + 1e-6);
      for (const one of here) ages.push(at - one.at);
      waiting.set(market, told.slice(here.length));
    }
  };
  while (!signal.aborted) {
    await Promise.all([atDoor(), inAnswers()]);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return ages;
}
