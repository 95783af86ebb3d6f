import { z } from "zod";
import { AccessError } from "./access-error.ts";

const DAY_MS = 86_400_000;
const MAX_DAYS = 400;
const DEFAULT_DAYS = 30;

const grain = z.enum(["day", "key", "dataset", "status"], { error: "expected day, key, dataset or status" });

/** By what lines of usage are told apart. */
export type UsageGrain = z.output<typeof grain>;

const day = z.iso.date({ error: "expected a day such as 2026-11-20" }).optional();

/** Which usage, as texts of a query: what an address has after its question mark. */
export const usageInput = z.strictObject({
  /** UTC days, both included; the last 30 days when absent. */
  from: day,
  to: day,
  /** A key's id, or that of a user for the explorer. */
  key: z.string().min(1).max(100).optional(),
  agent_id: z
    .string()
    .regex(/^\d{1,9}$/, "expected a dataset's agent_id, or 0 for requests that came to none")
    .transform(Number)
    .optional(),
  status: z
    .string()
    .regex(/^[1-5](\d\d|xx)$/, "expected a status such as 429, or a class such as 4xx")
    .transform((text) => [Number(text.replaceAll("x", "0")), Number(text.replaceAll("x", "9"))] as const)
    .optional(),
  /** Comma-separated; "" adds everything up. */
  by: z
    .string()
    .max(100)
    .default("day,key,dataset,status")
    .transform((text) => text.split(",").filter(Boolean))
    .pipe(z.array(grain)),
});

export type UsageInput = z.input<typeof usageInput>;

/** The days asked for. Throws AccessError when they run backwards or are too many. */
export function usageDays(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: number,
): { readonly from: string; readonly to: string } {
  const last = to ?? dayOf(now);
  const first = from ?? dayOf(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS);
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (days < 1) throw refused("from", `${first} is after to, which is ${last}`);
  if (days > MAX_DAYS) throw refused("from", `${first} to ${last} are ${days} days; ask for at most ${MAX_DAYS}`);
  return { from: first, to: last };
}

const refused = (path: string, problem: string): AccessError =>
  new AccessError("invalid", `${path}: ${problem}`, [{ path, problem }]);

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
