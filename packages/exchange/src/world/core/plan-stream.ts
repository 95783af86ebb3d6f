import type { EventPlan } from "./event-plan.ts";
import type { Rng } from "./rng.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Taker fee rate, 1e-4, by category (reference polymarket.md §2 Fees). */
const FEES: Readonly<Record<string, number>> = {
  politics: 400,
  sports: 300,
  crypto: 700,
  economics: 500,
  culture: 500,
  tech: 400,
  weather: 500,
  geopolitics: 0,
};
const CATEGORIES = [
  "politics",
  "politics",
  "crypto",
  "economics",
  "culture",
  "tech",
  "weather",
  "geopolitics",
] as const;

export interface PlanSettings {
  start: number;
  /** Number of concurrent standing events. */
  events: number;
  /** Mean lifetime of a standing event, days. */
  life_days: number;
  /** Number of up/down series that are always running. */
  windows: { asset: string; minutes: number }[];
  /** Multiplies the rate of standing events, and of up/down windows. */
  activity: number;
  window_activity: number;
  /** Steps at which makers only renew quotes, per step at which a trade may happen. */
  idle: number;
  fee_from: number;
  /** Part of the random stream's name, so that shards differ. */
  shard?: number;
}

function between(rng: Rng, low: number, high: number): number {
  return Math.round(rng.between(low, high));
}

/** A Pareto-like weight, mean about 1: few events draw most of the trading. */
function popularity(rng: Rng): number {
  return Math.min(12, 0.33 * (1 - rng.unit()) ** -0.7);
}

function planStanding(rng: Rng, settings: PlanSettings, number: number, created: number, life: number): EventPlan {
  const dice = rng.unit();
  const kind = dice < 0.3 ? "sports" : dice < 0.6 ? "neg_risk" : "binary";
  const category = kind === "sports" ? "sports" : rng.pick(CATEGORIES);
  const questions = kind === "neg_risk" ? 3 + rng.below(8) : 1;
  const game = Math.min(life, between(rng, 2, 3.5) * HOUR);
  const end = Math.round((created + life) / MINUTE) * MINUTE;
  const start = kind === "sports" ? Math.max(created + MINUTE, end - game) : created;
  const pace = (settings.activity * popularity(rng) * 7) / (questions > 1 ? 1.6 : 1);
  const days = life / DAY;
  return {
    number,
    kind,
    category,
    questions,
    created,
    start,
    end,
    answer_after: kind === "sports" ? between(rng, 5 * MINUTE, 2 * HOUR) : between(rng, 2 * HOUR, 3 * HOUR),
    disputed: rng.chance(0.04),
    voided: kind !== "neg_risk" && rng.chance(0.02),
    fee_rate: FEES[category] ?? 500,
    fee_from: settings.fee_from,
    tick: questions > 1 || rng.chance(0.25) ? 10 : 100,
    pace,
    pace_live: kind === "sports" ? pace * 8 : pace,
    variance: kind === "sports" ? 0.02 : Math.min(0.8, rng.between(2, 6) / days),
    variance_live: kind === "sports" ? (5 * DAY) / game : Math.min(0.8, rng.between(2, 6) / days),
    jumps: kind === "sports" ? 0.15 : Math.min(0.8, rng.between(0.5, 3) / days + 0.08),
    first: Array.from({ length: questions }, () => rng.normal() * (questions > 1 ? 1.1 : 1.2)),
    spread: rng.between(80, 330) / (questions > 1 ? 1.5 : 1),
    depth: 60 * Math.exp(rng.normal() * 0.6) * Math.sqrt(pace + 1),
    lag: Math.max(MINUTE, (0.5 * HOUR) / pace),
    error: 0.4,
    error_memory: DAY,
    asset: null,
    minutes: 0,
  };
}

function planWindow(
  rng: Rng,
  settings: PlanSettings,
  number: number,
  window: { asset: string; minutes: number },
  start: number,
): EventPlan {
  const span = window.minutes * MINUTE;
  const pace =
    settings.window_activity * (window.asset === "btc" ? 280 : 130) * rng.between(0.5, 1.5) * (5 / window.minutes);
  return {
    number,
    kind: "updown",
    category: "crypto",
    questions: 1,
    created: start - 3 * span,
    start,
    end: start + span,
    answer_after: between(rng, 12_000, 40_000),
    disputed: false,
    voided: false,
    fee_rate: 700,
    fee_from: settings.fee_from,
    tick: 100,
    pace: pace / 40,
    pace_live: pace,
    variance: 0,
    variance_live: 0,
    jumps: 0,
    first: [0],
    spread: rng.between(100, 260),
    depth: 150,
    lag: 4000,
    error: 0.22,
    error_memory: 40_000,
    asset: window.asset,
    minutes: window.minutes,
  };
}

/** Lifetime of a standing event in ms: half of them short, some very long; the mean is `life_days`. */
function drawLife(rng: Rng, settings: PlanSettings): number {
  const scale = settings.life_days * DAY;
  return Math.max(3 * HOUR, rng.chance(0.5) ? scale * rng.between(0.05, 0.45) : scale * 0.4 + rng.wait(scale * 1.35));
}

/** Endless plans in order of creation: the standing events of the start, their successors, and the up/down windows. */
export class PlanStream {
  private readonly rng: Rng;
  private readonly settings: PlanSettings;
  private readonly nextWindow: number[];
  private number = 0;
  private made = 0;
  private nextStanding: number;

  constructor(rng: Rng, settings: PlanSettings) {
    this.rng = rng.fork(`plans ${settings.shard ?? 0}`);
    this.settings = settings;
    this.nextStanding = settings.start + 2000;
    this.nextWindow = settings.windows.map((w) => {
      const span = w.minutes * MINUTE;
      return (Math.floor(settings.start / span) + 4) * span;
    });
  }

  next(): EventPlan {
    const { settings, rng } = this;
    let window = -1;
    let created = this.nextStanding;
    for (const [i, start] of this.nextWindow.entries()) {
      const at = start - 3 * (settings.windows[i]?.minutes ?? 5) * MINUTE;
      if (at < created) {
        created = at;
        window = i;
      }
    }
    this.number += 1;
    const kind = settings.windows[window];
    if (kind !== undefined) {
      const start = this.nextWindow[window] as number;
      this.nextWindow[window] = start + kind.minutes * MINUTE;
      return planWindow(rng, settings, this.number, kind, start);
    }
    const starting = this.made < settings.events;
    const life = starting ? Math.max(2 * HOUR, drawLife(rng, settings) * rng.unit()) : drawLife(rng, settings);
    this.made += 1;
    const gap =
      this.made < settings.events ? HOUR / settings.events : rng.wait((settings.life_days * DAY) / settings.events);
    this.nextStanding = created + Math.max(1000, Math.round(gap));
    return planStanding(rng, settings, this.number, created, Math.round(life));
  }
}
