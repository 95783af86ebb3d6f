import type { DerivationReader } from "../../definition/derivation.ts";
import { createMatcherBeside, type Matcher } from "./create-matcher.ts";
import { DAY_MS, fingerprintOf, loadMarkets } from "./load-markets.ts";

/** The terms of a UTC day: of all markets open in it, each found only while it was. */
type Dictionary = { readonly matcher: Matcher; readonly print: string; readonly opened: ReadonlyMap<string, number> };

const MAX_DAYS = 2;

/** The matcher for posts of a UTC day, created once. */
export async function matcherOf(reader: DerivationReader, dayMs: number): Promise<Matcher> {
  const days = daysOf(reader);
  const known = days.get(dayMs);
  if (known) return known.matcher;
  const made = await makeDictionary(reader, dayMs);
  days.set(dayMs, made);
  for (const old of [...days.keys()].slice(0, -MAX_DAYS)) days.delete(old);
  return made.matcher;
}

/**
 * Rebuilds the day's matcher if markets were added. Returns the time (Unix ms) when the first of them opened; undefined
 * if none.
 */
export async function refreshDay(reader: DerivationReader, dayMs: number): Promise<number | undefined> {
  const days = daysOf(reader);
  const known = days.get(dayMs);
  if (known === undefined || (await fingerprintOf(reader.read, dayMs)) === known.print) return undefined;
  const made = await makeDictionary(reader, dayMs);
  days.set(dayMs, made);
  let first: number | undefined;
  for (const [condition, opened] of made.opened) {
    if (!known.opened.has(condition) && (first === undefined || opened < first)) first = opened;
  }
  return first;
}

async function makeDictionary({ read }: DerivationReader, dayMs: number): Promise<Dictionary> {
  // Read first, so that markets added meanwhile are seen as new the next time.
  const print = await fingerprintOf(read, dayMs);
  const markets = await loadMarkets(read, dayMs);
  const opened = new Map(markets.map((market) => [market.condition_id, market.opened_ms]));
  return { matcher: await createMatcherBeside(markets, dayMs), print, opened };
}

function daysOf({ memory }: DerivationReader): Map<number, Dictionary> {
  const known = memory.get("days");
  if (known instanceof Map) return known as Map<number, Dictionary>;
  const days = new Map<number, Dictionary>();
  memory.set("days", days);
  return days;
}

export const dayOfMs = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;
