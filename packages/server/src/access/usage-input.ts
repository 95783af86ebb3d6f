import { z } from "zod";
import { AccessError, readInput } from "./access-error.ts";

const DAY_MS = 86_400_000;
const MAX_DAYS = 400;
const DEFAULT_DAYS = 30;
/** The records have no year 0. */
const FIRST_DAY = "0001-01-01";

const grain = z.enum(["day", "key", "dataset", "status"], { error: "expected day, key, dataset or status" });

/** The fields that usage lines are grouped by. */
export type UsageGrain = z.output<typeof grain>;

const day = z.iso.date({ error: "expected a day such as 2026-11-20" }).optional();

/** A usage query, as texts of a URL's query string. */
const usageInput = z.strictObject({
  /** UTC days, both inclusive; the last 30 days if absent. */
  from: day,
  to: day,
  /** A key's id, or a user's id for the explorer. */
  key: z.string().min(1).max(100).optional(),
  agent_id: z
    .string()
    .regex(/^\d{1,9}$/, "expected a dataset's agent_id, or 0 for requests without a dataset")
    .transform(Number)
    .optional(),
  status: z
    .string()
    .regex(/^[1-5](\d\d|xx)$/, "expected a status such as 429, or a class such as 4xx")
    .transform((text) => [Number(text.replaceAll("x", "0")), Number(text.replaceAll("x", "9"))] as const)
    .optional(),
  /** Comma-separated; "" sums everything. */
  by: z
    .string()
    .max(100)
    .default("day,key,dataset,status")
    .transform((text) => [...new Set(text.split(",").filter(Boolean))])
    .pipe(z.array(grain)),
});

export type UsageInput = z.input<typeof usageInput>;

export type UsageWanted = z.output<typeof usageInput> & { readonly from: string; readonly to: string };

/** Throws AccessError for input that cannot be parsed, and for days that run backwards or are too many. */
export function readUsageInput(requested: UsageInput, now: number): UsageWanted {
  const wanted = readInput(usageInput, requested);
  const to = wanted.to ?? dayOf(now);
  const from = wanted.from ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  if (from < FIRST_DAY) throw refused("from", `expected a day from ${FIRST_DAY} on`);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw refused("from", `${from} is after to, which is ${to}`);
  if (days > MAX_DAYS) throw refused("from", `${from} to ${to} are ${days} days; request at most ${MAX_DAYS}`);
  return { ...wanted, from, to };
}

const refused = (path: string, problem: string): AccessError =>
  new AccessError("invalid", `${path}: ${problem}`, [{ path, problem }]);

const dayOf = (timestamp: number): string => new Date(timestamp).toISOString().slice(0, 10);
