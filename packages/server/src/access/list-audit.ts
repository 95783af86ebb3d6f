import { z } from "zod";
import type { Selectable } from "kysely";
import type { RecordsSchema } from "../records/schema.ts";
import type { AdminContext } from "./change.ts";
import { findAccount } from "./find.ts";
import { readInput } from "./access-error.ts";

/** The most rows in a list of the console. */
const LIST_ROWS = 1000;

type Limited<Row> = { readonly limit: (rows: number) => { readonly execute: () => Promise<readonly Row[]> } };
type Page<Row> = { readonly rows: readonly Row[]; readonly has_more: boolean };

/** The first rows of a query; one more is read, to know whether there are more. */
export async function listPage<Row>(query: Limited<Row>, most = LIST_ROWS): Promise<Page<Row>> {
  const read = await query.limit(most + 1).execute();
  return { rows: read.slice(0, most), has_more: read.length > most };
}

const MAX = 200;

const whole = z
  .string()
  .regex(/^\d{1,15}$/, "expected a whole number")
  .transform(Number);

const input = z.strictObject({
  /** Only entries older than this one. */
  before: whole.optional(),
  limit: whole.pipe(z.int().min(1).max(MAX)).default(50),
  /** Only entries about this account: its id or e-mail address. */
  account: z.string().optional(),
});

export type AuditPage = {
  readonly entries: readonly Selectable<RecordsSchema["audit"]>[];
  readonly has_more: boolean;
};

/** Audit entries, newest first. Throws AccessError: invalid input, not_found account. */
export async function listAudit(admin: AdminContext, requested: z.input<typeof input>): Promise<AuditPage> {
  const { before, limit, account } = readInput(input, requested);
  let query = admin.db.selectFrom("audit").selectAll().orderBy("id", "desc");
  if (before !== undefined) query = query.where("id", "<", before);
  if (account !== undefined) query = query.where("account_id", "=", (await findAccount(admin, account)).id);
  const { rows, has_more } = await listPage(query, limit);
  return { entries: rows, has_more };
}
