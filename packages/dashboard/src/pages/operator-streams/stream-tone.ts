import type { StreamStatus } from "../../api/streams.ts";
import type { BadgeTone } from "../../ui/indicators.tsx";

type Reported = Pick<StreamStatus, "state" | "behind">;

const TONES: Readonly<Record<string, BadgeTone>> = {
  running: "good",
  caught_up: "good",
  starting: "accent",
  failing: "bad",
  "not running": "warn",
};

/** States that say more than how far a stream lags. */
const WORSE_THAN_BEHIND: ReadonlySet<string> = new Set(["failing", "not running"]);

/** The state in words: a stream that runs but lags is called behind. */
export function streamWords({ state, behind }: Reported): { readonly tone: BadgeTone; readonly words: string } {
  if (behind && !WORSE_THAN_BEHIND.has(state)) return { tone: "warn", words: "behind" };
  return { tone: TONES[state] ?? "quiet", words: state.replaceAll("_", " ") };
}

/** Sort rank: streams that need attention come first, worst first; disabled ones do not count. */
export function streamRank(reported: Reported): number {
  const { tone } = streamWords(reported);
  return { bad: 0, warn: 1, accent: 2, good: 3, quiet: 4 }[tone];
}
