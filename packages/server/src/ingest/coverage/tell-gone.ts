import type { Written } from "./read-records.ts";
import type { Span } from "../../definition/spans.ts";

/** A sentence for each kind of row of the tables that is kept no longer and lay in the asked time. */
export function tellGone(tables: readonly string[], { retention }: Written, asked: Span): string[] {
  return retention.flatMap(({ title, table_name: table, gone_before: gone }) => {
    if (gone === null || !tables.includes(table) || asked.from >= gone.getTime()) return [];
    return [`${title} before ${gone.toISOString()} are gone.`];
  });
}
