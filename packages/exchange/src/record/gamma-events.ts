import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { keysetPage } from "./keyset-page.ts";
import { lazy } from "./lazy.ts";
import { readLines } from "./read-lines.ts";
import type { Recording } from "./recording.ts";

const MLB = "polymarket/mlb/mlb_gamma_events_2020_2026.jsonl.gz";
const CAPTURE = "polymarket/captures/gamma_event.json";

const row = z.object({
  event_id: z.string(),
  slug: z.string(),
  title: z.string(),
  ticker: z.string(),
  start_date: z.string().nullable(),
  end_date: z.string().nullable(),
  creation_date: z.string().nullable(),
  closed: z.boolean(),
  active: z.boolean(),
  archived: z.boolean(),
  volume: z.number(),
  n_markets: z.number(),
  neg_risk: z.boolean(),
});

/** An event with the wire's names. Of the baseball events the markets were not kept, only how many there were. */
interface RawEvent {
  id: string;
  slug: string;
  closed: boolean;
  markets: unknown[];
  n_markets?: number;
}

/** Gamma `/events/keyset`, `/events/{id}`, `/events/slug/{slug}`: 4,971 baseball events of 2020–2026 and one capture. */
export function gammaEvents(dir: string): Recording {
  const load = lazy(() => readRecordedEvents(dir));
  return {
    name: "gamma-events",
    service: "gamma",
    async answer({ method, path, query }) {
      if (method !== "GET" || !path.startsWith("/events/")) return undefined;
      const events = await load();
      if (path === "/events/keyset") {
        const selected = select(events, query);
        return selected && keysetPage("events", selected, query);
      }
      const key = path.slice("/events/".length).replace(/^slug\//, "");
      const found = events.find((event) => event.id === key || event.slug === key);
      return found && { body: found };
    },
  };
}

async function readRecordedEvents(dir: string): Promise<RawEvent[]> {
  const events: RawEvent[] = [];
  for await (const line of readLines(join(dir, MLB))) events.push(toWire(row.parse(JSON.parse(line))));
  return [...events, ...(JSON.parse(await readFile(join(dir, CAPTURE), "utf8")) as RawEvent[])];
}

function toWire(recorded: z.infer<typeof row>) {
  return {
    id: recorded.event_id,
    ticker: recorded.ticker,
    slug: recorded.slug,
    title: recorded.title,
    startDate: recorded.start_date,
    endDate: recorded.end_date,
    creationDate: recorded.creation_date,
    active: recorded.active,
    closed: recorded.closed,
    archived: recorded.archived,
    volume: recorded.volume,
    negRisk: recorded.neg_risk,
    enableNegRisk: recorded.neg_risk,
    markets: [],
    n_markets: recorded.n_markets,
  };
}

/** Undefined when the request asks for certain events and none of them is recorded. */
function select(events: RawEvent[], query: URLSearchParams): RawEvent[] | undefined {
  const ids = new Set(query.getAll("id"));
  const slugs = new Set(query.getAll("slug"));
  const chosen = events
    .filter((event) => ids.size === 0 || ids.has(event.id))
    .filter((event) => slugs.size === 0 || slugs.has(event.slug));
  if (chosen.length === 0) return undefined;
  const closed = query.get("closed");
  return closed === null ? chosen : chosen.filter((event) => String(event.closed) === closed);
}
