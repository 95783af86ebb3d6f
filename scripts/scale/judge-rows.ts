import { Random } from "../campaign/random.ts";
import { readPlaces } from "../campaign/read-places.ts";
import { compareRun } from "../campaign/compare-run.ts";
import type { StreamResult } from "../campaign/run-result.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { asker } from "../verify/ask.ts";
import type { BookHistory } from "../verify/book-history.ts";
import { findDoubledRows } from "../verify/doubled-rows.ts";
import { fillsOf } from "../verify/fills.ts";
import type { ServicePart } from "./service-part.ts";
import type { Topology } from "./topology.ts";

/** Past books a venue. */
const BOOKS = 12;

type Judging = {
  readonly exchange: Pick<Topology["exchange"], "world" | "urls">;
  readonly apis: readonly Pick<ServicePart, "baseUrl">[];
  readonly keys: Pick<Topology["keys"], "wide">;
  readonly options: Pick<Topology["options"], "seed">;
};

export type Judged = { readonly streams: readonly StreamResult[]; readonly doubled: readonly string[] };

/** Everything that is answered against everything that happened in the world, which stands still; and keys held twice. Books of the time of `history`. */
export async function judgeRows(
  { exchange, apis, keys, options }: Judging,
  store: OpenStore,
  history: BookHistory,
  hasCandles: boolean,
): Promise<Judged> {
  const { world, urls } = exchange;
  const places = await readPlaces(urls.control_url);
  const [api] = apis;
  if (api === undefined) throw new Error("there is no api process");
  const streams = await compareRun({
    world,
    ask: asker(api.baseUrl, keys.wide),
    store,
    source: "chain",
    history,
    places,
    fills: fillsOf(world, "chain", places.ofMatch),
    toMs: world.reached(),
    random: new Random(options.seed + world.truth().fills),
    books: BOOKS,
    hasKalshiKey: true,
    nowMs: Date.now(),
    hasCandles,
  });
  return { streams, doubled: await findDoubledRows(store) };
}
