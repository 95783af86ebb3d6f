import { LEAST_VOLUME } from "../../../packages/server/src/derivations/price-changes/moves-sql.ts";
import { REGIME_BUCKETS } from "../../../packages/server/src/derivations/price-changes/jumps-sql.ts";
import { EXTENTS } from "../../../packages/server/src/derivations/price-changes/extents.ts";
import type { Store } from "../../../packages/server/src/store/store.ts";
import { type Alarm, LEAST_MOVE } from "./alarms.ts";
import type { JumpMarket, JumpWorld, TrueJump } from "./jump-world.ts";
import { isAbout } from "./match-jumps.ts";
import type { Judged, JudgedJump } from "./score-alarms.ts";
import { isGivenBack } from "./shown-move.ts";
import { movesAbout, type StoredMove } from "./stored-moves.ts";
import { bestThreshold, falseAlarms, missedJumps } from "./tell-jumps.ts";

/** Why a jump was missed, or what there was where an alarm is false. */
export type Reasons = Map<TrueJump | Alarm, string>;

const RESOLUTION = "5m";
const LENGTH_MS = 300_000;
const DAY_MS = 86_400_000;
/** How far from a false alarm dated jumps are named. */
const NEAR_MS = 3 * 3_600_000;

const minute = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const points = (usd: number): string => (usd * 100).toFixed(1);

function isAtStart({ event_start_ms: start }: JumpMarket, { to }: StoredMove): boolean {
  if (start === null) return false;
  const bucket = to - LENGTH_MS;
  return bucket >= start - LENGTH_MS && bucket < start + (REGIME_BUCKETS + EXTENTS.drift) * LENGTH_MS;
}

function isAtEnd({ closed_ms: over, payout_numerators: payouts }: JumpMarket, { from, after }: StoredMove): boolean {
  if (over === null) return false;
  if (from + LENGTH_MS > over) return true;
  const payout = payouts === null ? Number.NaN : payouts[0] / (payouts[0] + payouts[1]);
  return from > over - DAY_MS && Math.abs(after - payout) <= 0.02;
}

/** The first rule that a jump's surest move fell to. */
function reasonOf(market: JumpMarket, move: StoredMove | undefined, shown: number, score: number | undefined): string {
  if (shown < LEAST_MOVE) return "not shown: the quotes went too little in its direction within 90 minutes";
  if (move === undefined) return "no window, or no move in its direction";
  if (score !== undefined) return "p too large";
  if (isAtStart(market, move)) return "start of the event";
  if (isAtEnd(market, move)) return "end of the market";
  if (move.trades === 0) return "nothing traded";
  if (move.volumeRatio !== null && move.volumeRatio < Number(LEAST_VOLUME.text)) return "volume";
  if (!move.isPeak) return `a surer move within ${EXTENTS.drift} buckets`;
  if (Math.abs(move.after - move.before) < LEAST_MOVE) return "single moves too small";
  return "part of a surer alarm within 90 minutes";
}

const tell = ({ from, before, after, score, trades, volumeRatio, returns }: StoredMove): string =>
  `best move ${minute(from)} ${points(before)} to ${points(after)}, -ln p ${score.toFixed(1)}, ${trades} trades, volume ${volumeRatio?.toFixed(2) ?? "–"}, window ${returns}`;

/** Why a jump was found with no alarm, or with one of this score only. */
async function explainJump(store: Store, market: JumpMarket, judged: JudgedJump): Promise<string> {
  const { jump } = judged;
  const [move] = await movesAbout(store, market, jump, RESOLUTION);
  const reason = reasonOf(market, move, judged.shown, judged.score);
  return `${minute(jump.ms)} ${market.slug}: ${points(jump.size)} points (shown ${points(judged.shown)}), ${jump.perMinute.toFixed(1)} trades a minute; ${reason}; ${move ? tell(move) : "nothing tested"}`;
}

/** What there was where an alarm is false. */
function explainAlarm(world: JumpWorld, market: JumpMarket, alarm: Alarm): string {
  const near = world.jumps
    .filter(({ market: id, ms }) => id === alarm.market && Math.abs(ms - alarm.from) <= NEAR_MS)
    .map((jump) => `${minute(jump.ms)} by ${points(jump.size)}${isAbout(alarm, jump) ? "" : " (not what moved)"}`);
  const facts = [
    ...(market.event_start_ms !== null && alarm.to > market.event_start_ms ? ["the game was on"] : []),
    ...(isGivenBack(world, market, alarm) ? ["half given back within 50 minutes"] : []),
    near.length === 0 ? "no dated jump within 3 hours" : `dated jumps near: ${near.join(", ")}`,
  ];
  return `${minute(alarm.from)} ${market.slug}: ${points(alarm.before)} to ${points(alarm.after)}, -ln p ${alarm.score.toFixed(1)}; ${facts.join("; ")}`;
}

/** Reasons for everything that may count toward the aim; which of it does is known when the threshold is. */
export async function explain(store: Store, world: JumpWorld, judged: Judged, name: string): Promise<Reasons> {
  const markets = new Map<string, JumpMarket>(world.markets.map((market) => [market.condition_id, market]));
  const reasons: Reasons = new Map();
  for (const missed of missedJumps(judged, Number.POSITIVE_INFINITY)) {
    const market = markets.get(missed.jump.market);
    if (market) reasons.set(missed.jump, `${name} ${await explainJump(store, market, missed)}`);
  }
  for (const { alarm } of falseAlarms(judged, 0)) {
    const market = markets.get(alarm.market);
    if (market) reasons.set(alarm, `${name} ${explainAlarm(world, market, alarm)}`);
  }
  return reasons;
}

/** The list of what was missed and what was false at the threshold with the best mean of both. */
export function missedText(robust: Judged | undefined, reasons: Reasons): string {
  if (robust === undefined) return "";
  const threshold = bestThreshold(robust);
  const lines = [
    ...missedJumps(robust, threshold).map(({ jump }) => `missed ${reasons.get(jump)}`),
    ...falseAlarms(robust, threshold).map(({ alarm }) => `false ${reasons.get(alarm)}`),
  ];
  return `\n\nAt -ln p of ${threshold.toFixed(1)} or more:\n${lines.join("\n")}`;
}
