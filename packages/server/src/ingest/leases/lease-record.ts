import { sql, type Kysely } from "kysely";
import type { HeldLease } from "../../records/leased-sessions.ts";
import type { RecordsSchema } from "../../records/schema.ts";

type Db = Kysely<RecordsSchema>;

/** A process that shares the work: `label` is for people. */
export type Sharer = { readonly id: string; readonly label: string; readonly role: string };

const NOW = sql<Date>`clock_timestamp()`;
const until = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds}::double precision)`;

/**
 * Says that the process lives and renews what it holds, both for so many seconds of the records' clock. Resolves to the
 * names that are still its own: a lease that ran out is, as long as nobody took it.
 */
export async function renewLeases(
  db: Db,
  { id, label, role }: Sharer,
  { held, seconds }: { readonly held: readonly HeldLease[]; readonly seconds: number },
): Promise<ReadonlySet<string>> {
  const expires_at = until(seconds);
  await db
    .insertInto("processes")
    .values({ id, label, role, expires_at })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ expires_at }))
    .execute();
  if (held.length === 0) return new Set();
  const names = held.map(({ name }) => name);
  const tokens = held.map(({ token }) => token);
  const renewed = await db
    .updateTable("leases")
    .set({ expires_at })
    .where("owner", "=", id)
    .where(sql<boolean>`(name, token) in (select * from unnest(${names}::text[], ${tokens}::bigint[]))`)
    .returning("name")
    .execute();
  return new Set(renewed.map(({ name }) => name));
}

/** Makes the rows of leases that nobody held yet. */
export async function nameLeases(db: Db, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await db
    .insertInto("leases")
    .values(names.map((name) => ({ name })))
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}

/** What was taken; `from`: the processes whose lease ran out, none where it was given back or never held. */
export type Taken = { readonly held: readonly HeldLease[]; readonly from: readonly string[] };

/**
 * Takes all of these leases, or none where one of them is held, or is being written under, now. Whatever the process
 * held of them before has another token.
 */
export function takeLeases(
  db: Db,
  id: string,
  { names, seconds }: { readonly names: readonly string[]; readonly seconds: number },
): Promise<Taken | undefined> {
  return db.transaction().execute(async (work) => {
    const free = await work
      .selectFrom("leases")
      .select(["name", "owner"])
      .where("name", "in", names)
      .where("expires_at", "<", NOW)
      .orderBy("name")
      .forUpdate()
      .skipLocked()
      .execute();
    if (free.length < names.length) return undefined;
    const held = await work
      .updateTable("leases")
      .set((set) => ({ owner: id, token: set("token", "+", 1), since: NOW, expires_at: until(seconds) }))
      .where("name", "in", names)
      .returning(["name", "token"])
      .execute();
    return { held, from: free.flatMap(({ owner }) => (owner === null ? [] : [owner])) };
  });
}

/** Gives leases back: whoever looks next takes them. Those that passed to somebody else are left. */
export async function giveLeasesBack(db: Db, id: string, held: readonly HeldLease[]): Promise<void> {
  for (const { name, token } of held) {
    await db
      .updateTable("leases")
      .set({ owner: null, expires_at: sql<Date>`'-infinity'` })
      .where("owner", "=", id)
      .where("name", "=", name)
      .where("token", "=", token)
      .execute();
  }
}

/** The process shares no more. */
export async function leaveSharers(db: Db, id: string): Promise<void> {
  await db
    .deleteFrom("processes")
    .where((row) =>
      row.or([row("id", "=", id), row("expires_at", "<", sql<Date>`clock_timestamp() - interval '1 day'`)]),
    )
    .execute();
}

export type Sharing = {
  /** Names of leases that can be taken; `ranOut` says that their owner did not give them back. */
  readonly free: readonly { readonly name: string; readonly ranOut: boolean }[];
  /** How many processes of each role live. */
  readonly roles: ReadonlyMap<string, number>;
};

/** What is free now, and among how many the work is shared. */
export async function lookAtSharing(db: Db): Promise<Sharing> {
  const free = await db.selectFrom("leases").select(["name", "owner"]).where("expires_at", "<", NOW).execute();
  const roles = await db
    .selectFrom("processes")
    .select(["role", (row) => row.fn.countAll<number>().as("count")])
    .where("expires_at", ">=", NOW)
    .groupBy("role")
    .execute();
  return {
    free: free.map(({ name, owner }) => ({ name, ranOut: owner !== null })),
    roles: new Map(roles.map(({ role, count }) => [role, Number(count)])),
  };
}
