import { textTable } from "../../packages/server/src/cli/text-table.ts";
import { dayDerivations } from "../../packages/server/src/catalogue.ts";
import { sql } from "../../packages/server/src/definition/sql.ts";
import { systemClock } from "../../packages/server/src/ingest/clock.ts";
import { deriveDays } from "../../packages/server/src/ingest/day/derive-days.ts";
import { inOrder } from "../../packages/server/src/ingest/day/in-order.ts";
import type { Accuracy, WorldSize } from "./accuracy.ts";
import { judgePatterns, type Judged } from "./patterns/judge-patterns.ts";
import { readPatterns } from "./patterns/read-patterns.ts";
import { openWorldStore } from "./world-store.ts";

const NEEDED = new Set(["wallet-trade-days", "wallet-pair-days", "wallet-patterns"]);

type Measured = {
  readonly seed: number;
  readonly day: string;
  readonly wallets: number;
  readonly found: readonly Judged[];
};

/** Patterns found as of the last whole day, against the world's styles and rings, beside a naive rule each. */
export const accuracyOfPatterns: Accuracy = async (worlds) => {
  const value: Measured[] = [];
  for (const world of worlds) value.push(await measure(world));
  const rows = value.flatMap(({ seed, found }) =>
    found.map((one) => [
      String(seed),
      one.pattern,
      one.by,
      String(one.truth),
      String(one.named),
      shown(one.precision),
      shown(one.recall),
      one.rings === null ? "-" : `${one.ringsFound} of ${one.rings}`,
      one.clusters === null ? "-" : `${one.pureClusters} of ${one.clusters}`,
    ]),
  );
  const head = ["SEED", "PATTERN", "BY", "TRUE", "NAMED", "PRECISION", "RECALL", "RINGS FOUND", "PURE CLUSTERS"];
  return { text: textTable(head, rows), value };
};

const shown = (value: number | null): string => (value === null ? "-" : value.toFixed(3));

async function measure(world: WorldSize): Promise<Measured> {
  const opened = await openWorldStore(world, false);
  try {
    const { store } = opened;
    const [last] = await store.rows<{ day: string }>(
      sql`SELECT toString(max(toDate(ts)) - 1) AS day FROM polymarket_fills`,
    );
    const day = last?.day ?? "";
    const needed = inOrder(dayDerivations.filter(({ name }) => NEEDED.has(name)));
    const run = { store, clock: systemClock, signal: new AbortController().signal, venueNow: () => Date.parse(day) };
    for (const derivation of needed) await deriveDays(derivation, undefined, run);
    const wallets = await readPatterns(opened, day);
    return { seed: world.seed, day, wallets: wallets.length, found: judgePatterns(wallets) };
  } finally {
    await opened.close();
  }
}
