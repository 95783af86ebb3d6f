import { readConfig } from "../../packages/server/src/config.ts";
import type { Indexes } from "../../packages/server/src/main/open-indexes.ts";
import { openAsk } from "../../packages/server/src/main/open-ask.ts";
import { recordsOver } from "../../packages/server/src/records/records.ts";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import { canLookTo, LONGEST_CALM_MS } from "../campaign/can-look-to.ts";
import { compareRun } from "../campaign/compare-run.ts";
import { Random } from "../campaign/random.ts";
import { readPlaces } from "../campaign/read-places.ts";
import type { RunResult } from "../campaign/run-result.ts";
import type { BookHistory } from "../verify/book-history.ts";
import { findDoubledRows } from "../verify/doubled-rows.ts";
import { fillsOf } from "../verify/fills.ts";
import { askerOf } from "./ask-here.ts";
import { compareAnswers } from "./compare-answers.ts";
import type { SimPlan } from "./draw-simulation.ts";
import type { Life } from "./life.ts";
import { jumpOn, settleLife } from "./settle-life.ts";
import { aside } from "./sim-machine.ts";
import type { SimScene } from "./sim-scene.ts";

const BOOKS = 12;
/** What was sent by then is on its way. */
const STANDING_MS = 500;

type Judged = Pick<SimScene, "clock" | "exchange" | "database" | "ground"> & {
  readonly life: Life;
  readonly history: BookHistory;
  readonly problems: string[];
  readonly onSettled: () => void;
};

/** Lets the world stand still and the service settle, and weighs everything that it answers against what happened. */
export async function judgeSimulation(plan: SimPlan, run: Judged): Promise<Pick<RunResult, "streams" | "waiting">> {
  const { clock, exchange, life, history, database, problems } = run;
  const { world } = exchange;
  const source = plan.source === "data" ? "data" : "chain";
  const lookedMs = world.reached();
  const calmUntilMs = lookedMs + LONGEST_CALM_MS;
  if (source === "data") while (!canLookTo(lookedMs, world) && clock.now() < calmUntilMs) await jumpOn(clock);
  exchange.clock.setSpeed(0);
  await clock.runTo(clock.now() + STANDING_MS);
  history.close();
  const store = await openStore({ address: database.address });
  try {
    const config = readConfig({ ALMANAC_DATA_DIR: run.ground.openFolder().folder });
    const db = recordsOver(run.ground.sessions);
    const asking = { store, db, clock, venueNow: clock.now, count: () => undefined };
    const [byIndex, byEngine] = [life.indexes, NO_INDEXES].map((indexes) =>
      askerOf(openAsk(config, { ...asking, indexes })),
    );
    if (byIndex === undefined || byEngine === undefined) throw new Error("nobody answers");
    const places = await aside(() => readPlaces(exchange.urls.control_url));
    const fills = fillsOf(world, source, places.ofMatch);
    const seen = { world, ask: byIndex, store, source } as const;
    const waiting = await settleLife({ ...seen, fills: fills.length, clock, life, lookedMs });
    run.onSettled();
    return await aside(async () => {
      const random = new Random(plan.seed + 7_000_000);
      const toMs = world.reached();
      const { hasKalshiKey } = plan;
      const compared = {
        ...seen,
        places,
        fills,
        history,
        toMs,
        random,
        books: BOOKS,
        hasKalshiKey,
        nowMs: clock.now(),
      };
      const streams = await compareRun(compared);
      problems.push(...(await findDoubledRows(store)));
      problems.push(...(await compareAnswers(byIndex, byEngine, world)));
      return { streams, waiting };
    });
  } finally {
    await store.close();
  }
}

const NO_INDEXES: Omit<Indexes, "status" | "renew"> = {
  sources: () => undefined,
  tokenSources: () => undefined,
  lists: () => undefined,
  vocabularies: () => undefined,
  count: () => undefined,
  compared: () => undefined,
  close: () => Promise.resolve(),
};
