import type { Call } from "../../../definition/connector.ts";

export type Filters = Readonly<Record<string, string | number | undefined>>;

const READ_COST = 10;

/** A read of the REST API; filters without a value are left out. */
export function kalshiCall(path: string, filters: Filters = {}, absentOn: readonly number[] = []): Call {
  const query = Object.entries(filters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return { path, query, route: "all", cost: READ_COST, ...(absentOn.length > 0 && { absentOn }) };
}
