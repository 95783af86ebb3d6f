import type { AssetPath } from "../core/asset-path.ts";
import { type KalshiEventPlan, type KalshiMarketPlan, KALSHI_SERIES } from "./kalshi-plan.ts";
import type { Rng } from "../core/rng.ts";
import { LISTS } from "../polymarket/wordings.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

function two(n: number): string {
  return String(n).padStart(2, "0");
}

/** 26NOV20, and with hours 26NOV2014, in US Eastern time as Kalshi writes it (−5 h all year here). */
function stamp(ms: number, precision: "day" | "hour" | "minute"): string {
  const date = new Date(ms - 5 * HOUR);
  const day = `${two(date.getUTCFullYear() % 100)}${MONTHS[date.getUTCMonth()]}${two(date.getUTCDate())}`;
  if (precision === "day") return day;
  return `${day}${two(date.getUTCHours())}${precision === "minute" ? two(date.getUTCMinutes()) : ""}`;
}

const BASE = {
  mutually_exclusive: false,
  scalar_e4: null,
  early: null,
  pause: null,
  structure: "linear_cent",
  fractional: false,
  asset: null,
  window_start: null,
  variance: 0.3,
  first_value: 0,
} as const satisfies Partial<KalshiEventPlan>;

function single(title: string, suffix: string = "", yes: string = "Yes"): KalshiMarketPlan {
  return { suffix, title, yes_sub_title: yes, strike_type: "", floor_strike: null, cap_strike: null };
}

/** Up/down markets over 15 minutes. */
export function planQuarter(number: number, close: number): KalshiEventPlan {
  const title = "BTC price up in next 15 mins?";
  return {
    ...BASE,
    number,
    series: KALSHI_SERIES.btc15m,
    event_ticker: `KXBTC15M-${stamp(close, "minute")}`,
    title,
    sub_title: "",
    created: close - 45 * MINUTE,
    open: close - 15 * MINUTE,
    close,
    determine_after: 20_000,
    settle_after: 30_000,
    structure: "tapered_deci_cent",
    pace: 260,
    fractional: true,
    asset: "btc",
    window_start: close - 15 * MINUTE,
    markets: [{ ...single(title), suffix: stamp(close, "minute").slice(-2), yes_sub_title: "Price up" }],
  };
}

/** Ladder of price strikes at a full hour. */
export function planHour(
  number: number,
  close: number,
  asset: "btc" | "eth",
  path: AssetPath,
  strikes: number,
): KalshiEventPlan {
  const series = asset === "btc" ? KALSHI_SERIES.btcd : KALSHI_SERIES.ethd;
  const step = asset === "btc" ? 250 : 20;
  const middle = Math.round(Math.exp(path.logAt(close - 3 * HOUR)) / step) * step;
  const markets = Array.from({ length: strikes }, (_, i): KalshiMarketPlan => {
    const strike = middle + (i - Math.floor(strikes / 2)) * step - 0.01;
    const label = `$${strike.toLocaleString("en-US")} or above`;
    return {
      suffix: `T${strike.toFixed(2)}`,
      title: `${asset === "btc" ? "Bitcoin" : "Ethereum"} price ${label}?`,
      yes_sub_title: label,
      strike_type: "greater",
      floor_strike: strike,
      cap_strike: null,
    };
  });
  return {
    ...BASE,
    number,
    series,
    event_ticker: `${series.ticker}-${stamp(close, "hour")}`,
    title: `${asset === "btc" ? "Bitcoin" : "Ethereum"} price at ${stamp(close, "hour")}`,
    sub_title: "",
    created: close - 3 * HOUR,
    open: close - 3 * HOUR + MINUTE,
    close,
    determine_after: 40_000,
    settle_after: 5 * MINUTE,
    structure: "deci_cent",
    pace: 9,
    fractional: true,
    asset,
    markets,
  };
}

/** Brackets of a day's highest temperature: below, four steps between, above. */
export function planDay(number: number, close: number, rng: Rng): KalshiEventPlan {
  const middle = 2 * Math.round((45 + 15 * rng.normal()) / 2);
  const bounds = [-4, -2, 0, 2, 4].map((d) => middle + d + 0.5);
  const markets = Array.from({ length: 6 }, (_, i): KalshiMarketPlan => {
    const floor = bounds[i - 1] ?? null;
    const cap = bounds[i] ?? null;
    const type = floor === null ? "less" : cap === null ? "greater" : "between";
    const label = floor === null ? `${cap}° or below` : cap === null ? `${floor}° or above` : `${floor}° to ${cap}°`;
    const suffix = type === "between" ? `B${(floor ?? 0) + 1}` : `T${floor ?? cap}`;
    return {
      suffix,
      title: `Highest temperature in NYC ${label}?`,
      yes_sub_title: label,
      strike_type: type,
      floor_strike: floor,
      cap_strike: cap,
    };
  });
  return {
    ...BASE,
    number,
    series: KALSHI_SERIES.highny,
    event_ticker: `KXHIGHNY-${stamp(close - HOUR, "day")}`,
    title: `Highest temperature in NYC on ${stamp(close - HOUR, "day")}?`,
    sub_title: `On ${stamp(close - HOUR, "day")}`,
    mutually_exclusive: true,
    created: close - 2 * DAY,
    open: close - 2 * DAY + 10 * MINUTE,
    close,
    determine_after: 2 * HOUR,
    settle_after: HOUR,
    pace: 10,
    variance: 6,
    first_value: middle + rng.normal() * 2,
    markets,
  };
}

/** A game of two teams: two markets, each the complement of the other. Some are cancelled and pay half. */
export function planGame(number: number, created: number, rng: Rng): KalshiEventPlan {
  const teams = LISTS["team"] ?? [];
  const home = rng.below(teams.length);
  const names = [teams[home] ?? "Home", teams[(home + 1 + rng.below(teams.length - 1)) % teams.length] ?? "Away"];
  const close = created + Math.round(rng.between(5, 40)) * HOUR;
  const codes = names.map((name) => name.slice(0, 3).toUpperCase());
  const title = `${names[1]} at ${names[0]} Winner?`;
  return {
    ...BASE,
    number,
    series: KALSHI_SERIES.game,
    event_ticker: `KXNBAGAME-${stamp(close, "day")}${codes[1]}${codes[0]}${number}`,
    title,
    sub_title: `${codes[1]} at ${codes[0]}`,
    mutually_exclusive: true,
    created,
    open: created + 10 * MINUTE,
    close,
    determine_after: Math.round(rng.between(5, 20)) * MINUTE,
    settle_after: HOUR / 2,
    scalar_e4: rng.chance(0.05) ? 5000 : null,
    pause: rng.chance(0.3) ? { from: close - 2 * HOUR, to: close - 2 * HOUR + 7 * MINUTE } : null,
    pace: 14,
    variance: 1.5,
    first_value: rng.normal() * 0.7,
    markets: names.map((name, i) => single(title, codes[i] ?? "", name)),
  };
}

/** A yes/no question lasting weeks; a few are settled at a fair price in between. */
export function planSingle(number: number, created: number, rng: Rng, life: number): KalshiEventPlan {
  const company = rng.chance(0.5);
  const series = company ? KALSHI_SERIES.company : KALSHI_SERIES.policy;
  const pick = (list: string): string => rng.pick(LISTS[list] ?? [list]);
  const title = company
    ? `Will ${pick("company")} announce ${pick("product")} by ${pick("month")}?`
    : `Will the ${pick("bill")} of ${pick("country")} become law by ${pick("month")}?`;
  const close = Math.round((created + life) / HOUR) * HOUR;
  return {
    ...BASE,
    number,
    series,
    event_ticker: `${series.ticker}-${stamp(close, "day")}-${number}`,
    title,
    sub_title: `By ${stamp(close, "day")}`,
    created,
    open: created + 15 * MINUTE,
    close,
    determine_after: HOUR,
    settle_after: HOUR,
    early: rng.chance(0.25)
      ? { published: created + Math.round(life * 0.4), close: created + Math.round(life * 0.5) }
      : null,
    scalar_e4: rng.chance(0.04) ? 100 * (20 + rng.below(60)) : null,
    structure: rng.chance(0.3) ? "deci_cent" : "linear_cent",
    pace: 3,
    variance: 0.4,
    first_value: rng.normal() * 1.2,
    markets: [single(title)],
  };
}
