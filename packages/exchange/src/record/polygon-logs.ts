import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { lazy } from "./lazy.ts";
import type { RecordedRequest, Recording } from "./recording.ts";

const FILE = "polymarket/onchain/v2_mint_match_tx_0x03beb7ad.json";

interface Transaction {
  blockNumber: number;
  transactionHash: string;
  logs: { logIndex: number; address: string; topics: string[]; data: string }[];
}

type Filter = {
  address?: string | string[];
  topics?: (string | string[] | null)[];
  fromBlock?: string;
  toBlock?: string;
};

/**
 * `eth_getLogs` over a range that holds block 87,909,517: the five logs of one V2 mint (two of them reconstructed). The
 * hash of the block and the place of the transaction in it were not recorded and are zero.
 */
export function polygonLogs(dir: string): Recording {
  const load = lazy(async () => JSON.parse(await readFile(join(dir, FILE), "utf8")) as Transaction);
  return {
    name: "polygon-logs",
    service: "rpc",
    async answer(request) {
      const call = callOf(request);
      if (call?.method !== "eth_getLogs") return undefined;
      const filter = (call.params?.[0] ?? {}) as Filter;
      const transaction = await load();
      const from = Number(filter.fromBlock ?? Number.NaN);
      const to = Number(filter.toBlock ?? Number.NaN);
      if (!(from <= transaction.blockNumber && to >= transaction.blockNumber)) return undefined;
      const logs = transaction.logs.filter((log) => matches(log, filter)).map((log) => toWire(log, transaction));
      return { body: { jsonrpc: "2.0", id: call.id, result: logs } };
    },
  };
}

function callOf({ method, body }: RecordedRequest) {
  if (method !== "POST" || typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  return body as { id?: unknown; method?: unknown; params?: unknown[] };
}

function matches(log: Transaction["logs"][number], filter: Filter): boolean {
  const addresses = filter.address === undefined ? [] : [filter.address].flat();
  if (addresses.length > 0 && !addresses.some((address) => same(address, log.address))) return false;
  return (filter.topics ?? []).every((wanted, index) => {
    if (wanted === null) return true;
    return [wanted].flat().some((topic) => same(topic, log.topics[index] ?? ""));
  });
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function toWire(log: Transaction["logs"][number], transaction: Transaction) {
  return {
    address: log.address.toLowerCase(),
    topics: log.topics,
    data: log.data,
    blockNumber: `0x${transaction.blockNumber.toString(16)}`,
    blockHash: `0x${"0".repeat(64)}`,
    transactionHash: transaction.transactionHash,
    transactionIndex: "0x0",
    logIndex: `0x${log.logIndex.toString(16)}`,
    removed: false,
  };
}
