import { compareRun } from "../../../../scripts/campaign/compare-run.ts";
import { Random } from "../../../../scripts/campaign/random.ts";
import { readPlaces } from "../../../../scripts/campaign/read-places.ts";
import type { StreamResult } from "../../../../scripts/campaign/run-result.ts";
import type { Ask } from "../../../../scripts/verify/ask.ts";
import type { BookHistory } from "../../../../scripts/verify/book-history.ts";
import { findDoubledRows } from "../../../../scripts/verify/doubled-rows.ts";
import { fillsOf } from "../../../../scripts/verify/fills.ts";
import type { ServedExchange } from "../../../exchange/src/serve.ts";
import type { OpenStore } from "../../src/store/open-store.ts";

/** Number of past books compared for each venue. */
const BOOKS = 12;

export type Judged = { readonly streams: readonly StreamResult[]; readonly doubled: readonly string[] };

/**
 * Compares all answers with everything that happened in the paused world, and finds duplicate keys. Books cover the
 * time of `history`.
 */
export async function judgeRows(
  { world, urls }: Pick<ServedExchange, "world" | "urls">,
  { ask, store, history, seed }: { ask: Ask; store: OpenStore; history: BookHistory; seed: number },
): Promise<Judged> {
  const places = await readPlaces(urls.control_url);
  const streams = await compareRun({
    world,
    ask,
    store,
    source: "chain",
    history,
    places,
    fills: fillsOf(world, "chain", places.ofMatch),
    toMs: world.reached(),
    random: new Random(seed + world.truth().fills),
    books: BOOKS,
    hasKalshiKey: true,
    nowMs: Date.now(),
  });
  return { streams, doubled: await findDoubledRows(store) };
}
