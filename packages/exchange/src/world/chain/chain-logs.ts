import type { ChainHappening } from "./chain.ts";
import { chainDrafts } from "./chain-drafts.ts";
import type { ChainLog, LogWish } from "../chain-contract.ts";

/** Returns the decoded logs of one happening, in order; only those matching `wish`, if given. */
export function chainLogs(happening: ChainHappening, wish?: LogWish): ChainLog[] {
  const { tx_hash, tx_index, block_number, first_log_index } = happening;
  const logs: ChainLog[] = [];
  for (const [i, draft] of chainDrafts(happening).entries()) {
    if (wish !== undefined && !wish(draft)) continue;
    const { contract, address, event, exchange_version } = draft;
    const place = { tx_hash, tx_index, block_number, log_index: first_log_index + i };
    logs.push({ contract, address, event, exchange_version, args: draft.args(), ...place });
  }
  return logs;
}
