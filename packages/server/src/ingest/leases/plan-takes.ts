import type { Lease } from "./lease.ts";
import type { Sharing } from "./lease-record.ts";

/** A piece of the work that one process does at a time. */
export type Work = {
  readonly name: string;
  readonly kind: "streams" | "derive";
  /** They are taken together or not at all. */
  readonly leases: readonly string[];
  /** Works until the lease's signal is aborted; resolves once nothing of it goes on. */
  readonly run: (lease: Lease) => Promise<void>;
};

const ROLES: Readonly<Record<Work["kind"], readonly string[]>> = {
  streams: ["all", "ingest"],
  derive: ["all", "derive"],
};

export type TakePlan = {
  readonly take: readonly Work[];
  /** One piece a look, so that not everything stands still at once. */
  readonly handOver: string | undefined;
};

/** What a process takes and gives now: of each kind no more than its share, which is the same for all that do it. */
export function planTakes(
  works: readonly Work[],
  holding: ReadonlySet<string>,
  { free, roles }: Sharing,
  { role, mayTakeOver }: { readonly role: string; readonly mayTakeOver: boolean },
): TakePlan {
  const isFree = new Map(free.map(({ name, ranOut }) => [name, mayTakeOver || !ranOut]));
  const take: Work[] = [];
  let handOver: string | undefined;
  for (const kind of ["streams", "derive"] as const) {
    const [mine, all] = [ROLES[kind], works.filter((work) => work.kind === kind)];
    if (!mine.includes(role)) continue;
    const sharers = mine.reduce((sum, each) => sum + (roles.get(each) ?? 0), 0);
    const share = Math.ceil(all.length / Math.max(1, sharers));
    const held = all.filter(({ name }) => holding.has(name));
    const open = all.filter(
      ({ name, leases }) => !holding.has(name) && leases.every((one) => isFree.get(one) === true),
    );
    take.push(...open.slice(0, Math.max(0, share - held.length)));
    if (held.length > share) handOver ??= held.at(-1)?.name;
  }
  return { take, handOver };
}
