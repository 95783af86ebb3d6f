import type { Connector } from "../../definition/connector.ts";

/**
 * Streams that write the same tables, directly or by others between them, belong together: a batch is compared with
 * what is stored before it is, so at any time one process writes a table. In the order of the connectors.
 */
export function groupStreams(connectors: readonly Connector[]): readonly (readonly Connector[])[] {
  const groups: { readonly tables: Set<string>; readonly members: Connector[] }[] = [];
  for (const connector of connectors) {
    const tables = tablesWritten(connector);
    const joined = groups.filter((group) => tables.some((table) => group.tables.has(table)));
    const [first = { tables: new Set<string>(), members: [] }, ...others] = joined;
    if (joined.length === 0) groups.push(first);
    for (const other of others) {
      for (const table of other.tables) first.tables.add(table);
      first.members.push(...other.members);
      groups.splice(groups.indexOf(other), 1);
    }
    for (const table of tables) first.tables.add(table);
    first.members.push(connector);
  }
  return groups.map(({ members }) => connectors.filter((one) => members.includes(one)));
}

const tablesWritten = ({ tables, addsTo = [] }: Connector): string[] => [...tables, ...addsTo].map(({ name }) => name);
