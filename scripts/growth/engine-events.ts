import { sql } from "../../packages/server/src/definition/sql.ts";
import type { Store } from "../../packages/server/src/store/store.ts";

/** What the engine has counted since it began: CPU of statements and merges, marks and rows chosen by statements. */
export type EngineEvents = {
  readonly cpu_us: number;
  readonly marks: number;
  readonly rows: number;
  readonly bytes: number;
};

const NAMES = {
  OSCPUVirtualTimeMicroseconds: "cpu_us",
  SelectedMarks: "marks",
  SelectedRows: "rows",
  SelectedBytes: "bytes",
} as const;

export async function engineEvents(store: Pick<Store, "rows">): Promise<EngineEvents> {
  const found = await store.rows<{ event: string; value: string }>(
    sql`SELECT event, toString(value) AS value FROM system.events WHERE event IN ('OSCPUVirtualTimeMicroseconds', 'SelectedMarks', 'SelectedRows', 'SelectedBytes')`,
  );
  const events = { cpu_us: 0, marks: 0, rows: 0, bytes: 0 };
  for (const { event, value } of found) {
    const name = NAMES[event as keyof typeof NAMES];
    if (name !== undefined) events[name] = Number(value);
  }
  return events;
}

/** A statement's share of what was counted over several of them. */
export function perTurn(before: EngineEvents, after: EngineEvents, turns: number): EngineEvents {
  const part = (name: keyof EngineEvents): number => (after[name] - before[name]) / turns;
  return { cpu_us: part("cpu_us"), marks: part("marks"), rows: part("rows"), bytes: part("bytes") };
}
