import { z } from "zod";
import { readInput } from "./access-error.ts";
import { change, writeRow, type Desk } from "./change.ts";
import { findKey } from "./find.ts";
import { toSummary, type KeySummary } from "./key-summary.ts";

/** As a plan's. */
const figure = z.int().min(1).max(1_000_000).nullish();

/** A key's own limit as it is asked for; null or absent for none. */
export const limitFields = { requests_per_minute: figure, burst: figure };

type Limit = { readonly requests_per_minute?: number | null | undefined; readonly burst?: number | null | undefined };

export const BOTH = { error: "requests_per_minute and burst are set together", path: ["burst"] };
export const isWhole = ({ requests_per_minute: rate, burst }: Limit): boolean => (rate == null) === (burst == null);

const input = z.strictObject(limitFields).refine(isWhole, BOTH);

/** Gives a key (by id, prefix or secret) a limit of its own within its account's, or takes it away. */
export async function setKeyLimit(desk: Desk, named: string, asked: z.input<typeof input>): Promise<KeySummary> {
  const wanted = readInput(input, asked);
  const limit = { requests_per_minute: wanted.requests_per_minute ?? null, burst: wanted.burst ?? null };
  return await change(desk, async (inside) => {
    const { id, account_id: account, requests_per_minute, burst } = await findKey(inside, named);
    const detail = { before: { requests_per_minute, burst }, limit };
    const done = { action: "key.set_limit", subject: id, account, detail };
    return toSummary(inside, await writeRow(inside, "api_keys", limit, done));
  });
}
