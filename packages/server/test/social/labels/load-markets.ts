import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A real market as it stood in the catalogue; `key` is the event's name in labels.jsonl, `group` the market's. */
export type LabelledMarket = {
  readonly key: string;
  readonly group: string;
  readonly conditionId: string;
  readonly eventSlug: string;
  readonly eventTitle: string;
  readonly question: string;
  readonly tags: readonly string[];
  readonly openedMs: number;
  /** First timestamp after it closed: the day of closing still counts. */
  readonly closedMs: number;
  /** The event's end: the day it closed, because the scheduled day is not recorded. */
  readonly endsMs: number;
};

type EventLine = {
  readonly key: string;
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly opened: string;
  readonly closed: string;
  readonly source: string;
  readonly markets: readonly {
    readonly group: string;
    readonly question: string;
    readonly closed?: string;
    readonly condition_id?: string;
  }[];
};

const DAY_MS = 86_400_000;

/** The lines of a JSON Lines file in this folder. */
export const linesBeside = <T>(name: string): T[] =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);

/** Every market of markets.jsonl; if the real condition is not recorded, its id is derived from event and question. */
export function loadMarkets(): readonly LabelledMarket[] {
  return linesBeside<EventLine>("markets.jsonl").flatMap((event) =>
    event.markets.map((market) => ({
      key: event.key,
      group: market.group,
      conditionId: market.condition_id ?? madeId(`${event.slug}/${market.question}`),
      eventSlug: event.slug,
      eventTitle: event.title,
      question: market.question,
      tags: event.tags,
      openedMs: Date.parse(event.opened),
      closedMs: Date.parse(market.closed ?? event.closed) + DAY_MS,
      endsMs: Date.parse(event.closed) + DAY_MS,
    })),
  );
}

const madeId = (name: string): string => `0x${createHash("sha256").update(name).digest("hex")}`;
