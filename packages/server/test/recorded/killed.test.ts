import { expect, it } from "vitest";
import { runKilled } from "../../../../scripts/recorded/run-killed.ts";
import { isWhole } from "../../../../scripts/recorded/stream-count.ts";
import { noRecordings, RECORDINGS } from "./recordings.ts";

/** Catalogue and trades; `npm run recorded -- --cuts` takes all of it, the market websocket too. */
const PART = { wallets: 4, streams: 3 };
const KILLS = [{ streams: 1, milliseconds: 150 }];

it.skipIf(noRecordings)(
  "holds what was recorded, once, after kill -9 in the middle of it and answers that fail",
  { timeout: 400_000 },
  async () => {
    const { counts, killed, harm } = await runKilled(RECORDINGS, PART, KILLS);
    expect(killed).toBe(KILLS.length);
    expect(Object.keys(harm?.injected ?? {}).length).toBeGreaterThan(0);
    expect(counts.map(({ stream }) => stream)).toEqual([
      "Gamma markets",
      "Gamma events",
      "Data API v2 trades, by wallet",
    ]);
    expect(counts.filter((count) => !isWhole(count))).toEqual([]);
  },
);
