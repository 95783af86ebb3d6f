import { isFormula } from "../../definition/value-text.ts";
import { z } from "zod";
import { AccessError, readInput } from "../../access/access-error.ts";
import { findAccount } from "../../access/find.ts";
import { listActiveKeys } from "../../access/keys.ts";
import { readUsageDays, readUsage, type UsageReport, type UsageLine } from "../../access/read-usage.ts";
import { readQuotas } from "../../access/quotas.ts";
import type { Pace } from "../../access/caller.ts";
import { toCaller } from "../../access/sessions.ts";
import type { UsageInput } from "../../access/usage-input.ts";
import { withinFairly } from "../../access/limiter.ts";
import { accountRequested } from "./console-routes.ts";
import type { ConsoleCall, ConsoleRouter } from "./console-router.ts";
import type { ConsoleOptions } from "./console-options.ts";

const MAX_LINES = 5000;
const MAX_CSV_LINES = 50_000;
/**
 * Concurrent reads, in all and of one account's users: each processes many lines in small steps. The usage page reads
 * three times, and again for each range that its user passes on the way to another.
 */
const READS = { all: { atOnce: 4, waiting: 60 }, ofOne: { atOnce: 2, waiting: 10 } };
const TOO_MANY = { message: "Usage is being read too often at once; try again in a moment.", retryAfterSeconds: 1 };

const input = z.looseObject({ account: z.string().max(300).optional() });

/** An account's usage as lines, by day and in total; the lines as CSV; and its remaining allowances. */
export function addUsageRoutes({ on }: ConsoleRouter, { access, nameOf }: ConsoleOptions): void {
  const gated = withinFairly(READS, TOO_MANY);
  on("usage.read", async (call) => {
    const { account, requested } = await requestedOf(call);
    return await gated(call.user.account.id, async () => ({
      ...(await readUsage(call.admin, account, requested, MAX_LINES)),
      ...(await readUsageDays(call.admin, account, requested)),
    }));
  });
  on("usage.csv", async (call) => {
    const { account, requested } = await requestedOf(call);
    const report = await gated(
      call.user.account.id,
      async () => await readUsage(call.admin, account, requested, MAX_CSV_LINES),
    );
    if (report.has_more) {
      const why = `more than ${MAX_CSV_LINES} lines; request fewer days, or aggregate with by`;
      throw new AccessError("invalid", why, [{ path: "from", problem: why }]);
    }
    const body = Buffer.from(csvOf(report, nameOf));
    call.request.state.bytes = body.length;
    return call.reply
      .header("content-type", "text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="usage-${report.from}-${report.to}.csv"`)
      .send(body);
  });
  on("quota.read", async ({ user, admin }) => {
    const { id: accountId, plan } = user.account;
    const keys = await listActiveKeys(admin, accountId);
    const leftOf = async (id: string, keyPace: Pace | null): Promise<object> => {
      const { remaining, burst, resetSeconds } = await access.peek({ keyId: id, accountId, plan, keyPace });
      return { id, remaining, burst, reset_seconds: resetSeconds };
    };
    return {
      plan: plan.name,
      requests_per_minute: plan.requestsPerMinute,
      burst: plan.burst,
      max_page: plan.maxPage,
      max_list: plan.maxList,
      at_once: plan.atOnce,
      key_at_once: plan.keyAtOnce,
      room: await readQuotas(admin, accountId),
      keys: await Promise.all(keys.map(({ id, pace }) => leftOf(id, pace))),
      explorer: await leftOf(toCaller(user).keyId, null),
    };
  });
}

async function requestedOf({ user, admin, query }: ConsoleCall): Promise<{ account: string; requested: UsageInput }> {
  const { account: named, ...requested } = readInput(input, query);
  const account = accountRequested(user, "usage.read", named) ?? user.account.id;
  const isOwn = account === user.account.id;
  return { account: isOwn ? account : (await findAccount(admin, account)).id, requested };
}

const COLUMNS = [
  "day",
  "key_id",
  "key_name",
  "agent_id",
  "dataset",
  "status",
  "requests",
  "rows",
  "bytes",
  "ms_mean",
  "ms_p50",
  "ms_p95",
  "ms_p99",
] as const satisfies readonly (keyof UsageLine | "dataset")[];

function csvOf({ lines }: UsageReport, nameOf: ReadonlyMap<number, string>): string {
  const cellOf = (line: UsageLine, column: (typeof COLUMNS)[number]): string | number | null =>
    column === "dataset" ? (nameOf.get(line.agent_id ?? 0) ?? null) : line[column];
  return toCsv(
    COLUMNS,
    lines.map((line) => COLUMNS.map((column) => cellOf(line, column))),
  );
}

type Cell = string | number | null;

/**
 * RFC 4180 with a header line. A text that a spreadsheet would run as a formula gets an apostrophe prefix, as OWASP
 * advises; numbers are written unchanged.
 */
export function toCsv(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [headings, ...rows].map((row) => `${row.map(toField).join(",")}\r\n`).join("");
}

function toField(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = isFormula(cell) ? `'${cell}` : cell;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
