import type { PolymarketMarket } from "../../world/contract.ts";
import { flag, many, numeric, type Query } from "../query-values.ts";

type Test = (market: PolymarketMarket) => boolean;

/**
 * The filters of Gamma's market lists as one predicate. `closed` defaults to false, so resolved markets need
 * `closed=true` even when requested by their tokens.
 */
export function marketFilter(query: Query): Test {
  const closed = flag(query, "closed") ?? false;
  const tests: Test[] = [(market) => market.closed === closed];
  const tokens = new Set(many(query, "clob_token_ids"));
  if (tokens.size > 0) tests.push((market) => market.token_ids.some((id) => tokens.has(id)));
  const volume = numeric(query, "volume_num_min");
  if (volume !== undefined) tests.push((market) => market.volume_micro / 1_000_000 >= volume);
  return (market) => tests.every((test) => test(market));
}
