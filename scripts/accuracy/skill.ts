import { join } from "node:path";
import { bind, sql } from "../../packages/server/src/definition/sql.ts";
import { spearman } from "../../packages/server/src/main/report/spearman.ts";
import { textTable } from "../../packages/server/src/cli/text-table.ts";
import { DRAWABLE, drawBounds, type Drawable } from "../../packages/server/src/derivations/wallet-score/draw-bounds.ts";
import { readEngineOf } from "../../packages/server/src/query/query-engine.ts";
import { walletScores } from "../../packages/server/src/tables/wallet-scores.ts";
import { type Accuracy, type WorldSize, openWorldStore } from "./world-store.ts";

const RANKINGS = ["score", "skill", "profit", "risk", "timing", "breadth"] as const;
/** Styles of wallets whose skill decides what they trade: makers and rings follow fixed rules. */
const BY_VIEW = new Set(["noise", "informed"]);

type Row = Readonly<Record<(typeof RANKINGS)[number], number>> & { readonly style: string; readonly truth: number };
type Measured = {
  readonly seed: number;
  readonly day: string;
  readonly pool: number;
  readonly of: Record<string, [number | null, number | null]>;
  readonly inside: number;
};

/** Spearman correlation of the last complete day's score and its parts with the wallets' true skill. */
export const accuracyOfSkill: Accuracy = async (worlds) => {
  const value: Measured[] = [];
  for (const world of worlds) value.push(await measure(world));
  const rows = value.flatMap(({ seed, day, pool, of }) =>
    RANKINGS.map((ranking) => [
      String(seed),
      day,
      String(pool),
      ranking,
      shown(of[ranking]?.[0]),
      shown(of[ranking]?.[1]),
    ]),
  );
  const means = RANKINGS.map((ranking) => {
    const mean = (place: 0 | 1) => value.reduce((sum, one) => sum + (one.of[ranking]?.[place] ?? 0), 0) / value.length;
    return ["mean", "", "", ranking, shown(mean(0)), shown(mean(1))];
  });
  const inside = value.map(({ seed, inside: share }) => `seed ${seed}: ${(share * 100).toFixed(0)} %`).join(", ");
  const text = textTable(["SEED", "DAY", "POOL", "RANKED BY", "ALL", "NOISE AND INFORMED"], [...rows, ...means]);
  return { text: `Spearman with true skill\n${text}\nScores within their own bounds: ${inside}`, value };
};

const shown = (value: number | null | undefined): string =>
  value === null || value === undefined ? "-" : value.toFixed(3);

async function measure(world: WorldSize): Promise<Measured> {
  const opened = await openWorldStore(world);
  try {
    const { store } = opened;
    const file = bind("String", join(opened.truth, "wallets.parquet"));
    const [last] = await store.rows<{ day: string }>(
      sql`SELECT toString(max(toDate(ts)) - 1) AS day FROM polymarket_fills`,
    );
    const day = last?.day ?? "";
    const at = bind("Date", day);
    const rows = await store.rows<Row & Drawable>(
      sql`SELECT t.style AS style, t.skill AS truth, s.score AS score, s.day AS day, s.category AS category, s.wallet AS wallet, s.version AS version, s.prior AS prior, s.scale AS scale, s.between AS between, s.penalty AS penalty, s.skill_pct AS skill, s.profit_pct AS profit, s.risk_pct AS risk, s.timing_pct AS timing, s.breadth_pct AS breadth
FROM (SELECT ${DRAWABLE}, score, skill_pct, profit_pct, risk_pct, timing_pct, breadth_pct FROM (SELECT * FROM ${walletScores} FINAL WHERE day = ${at} AND category = '' AND NOT is_gone)) AS s
INNER JOIN (SELECT wallet, style, skill FROM file(${file}, 'Parquet', 'wallet String, style String, skill Float64')) AS t USING (wallet)`,
    );
    const views = rows.filter(({ style }) => BY_VIEW.has(style));
    const alike = (some: readonly Row[], ranking: (typeof RANKINGS)[number]) =>
      spearman(
        some.map((row) => row[ranking]),
        some.map((row) => row.truth),
      );
    const of = Object.fromEntries(
      RANKINGS.map((ranking): [string, [number | null, number | null]] => [
        ranking,
        [alike(rows, ranking), alike(views, ranking)],
      ]),
    );
    const drawn = await drawBounds(rows, readEngineOf(store));
    const inside =
      drawn.filter((row) => row.score >= row.low && row.score <= row.high).length / Math.max(1, rows.length);
    return { seed: world.seed, day, pool: rows.length, of, inside };
  } finally {
    await opened.close();
  }
}
