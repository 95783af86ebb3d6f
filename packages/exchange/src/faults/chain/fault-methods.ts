import { numberToHex } from "viem/utils";
import { RpcError } from "../../polymarket/chain/rpc-error.ts";
import type { RpcMethod } from "../../polymarket/chain/rpc-methods.ts";
import { isJsonObject } from "../json-object.ts";
import type { Storm } from "../storm.ts";

type Methods = ReadonlyMap<string, RpcMethod>;
type Params = readonly unknown[];

/** Wraps the RPC methods so that the node may lag behind the head or have pruned its history. */
export function faultMethods(methods: Methods, storm: Storm): Methods {
  const head = (): number => Number(methods.get("eth_blockNumber")?.([]) ?? 0);
  return new Map(
    [...methods].map(([name, run]): [string, RpcMethod] => [
      name,
      (params) => {
        if (!storm.isSet) return run(params);
        const behind = storm.strike(["lag"], "rpc", name);
        const kept = storm.strike(["prune"], "rpc", name);
        if (kept !== undefined && isPruned(name, params, head() - kept.fault.blocks)) {
          kept.landed();
          throw new RpcError(-32701, "History has been pruned for this block");
        }
        if (behind === undefined) return run(params);
        const late = lagging(methods, name, params, { real: head(), seen: head() - behind.fault.blocks });
        if (late.isTouched) behind.landed();
        if ("error" in late) throw late.error;
        return late.result;
      },
    ]),
  );
}

function isPruned(name: string, params: Params, oldest: number): boolean {
  const [filter] = params;
  if (name !== "eth_getLogs" || !isJsonObject(filter)) return false;
  const from = filter["fromBlock"];
  return typeof from === "string" && (from === "earliest" || Number(from) < oldest);
}

type Late = { isTouched: boolean } & ({ result: unknown } | { error: RpcError });

/** Returns the response of a node whose head is block `seen`. */
function lagging(methods: Methods, name: string, params: Params, heads: { real: number; seen: number }): Late {
  const run = methods.get(name) ?? (() => null);
  if (name === "eth_blockNumber") return { isTouched: true, result: numberToHex(heads.seen) };
  if (name === "eth_getBlockByNumber") return lateBlock(run, params, heads.seen);
  if (name === "eth_getTransactionReceipt") return lateReceipt(run(params), heads.seen);
  return isUnknown(methods, params, heads)
    ? { isTouched: true, error: new RpcError(-32000, "unknown block") }
    : lateLogs(run, params, heads.seen);
}

/** Whether the filter requests logs by the hash of a block that the lagging node does not have yet. */
function isUnknown(methods: Methods, [filter]: Params, { real, seen }: { real: number; seen: number }): boolean {
  const hash = isJsonObject(filter) ? filter["blockHash"] : undefined;
  if (typeof hash !== "string") return false;
  for (let number = real; number > seen; number -= 1) {
    const block = methods.get("eth_getBlockByNumber")?.([numberToHex(number), false]);
    if (isJsonObject(block) && block["hash"] === hash) return true;
  }
  return false;
}

function lateBlock(run: RpcMethod, [tag, ...rest]: Params, head: number): Late {
  if (isNewest(tag)) return { isTouched: true, result: run([numberToHex(head), ...rest]) };
  return Number(tag) > head ? { isTouched: true, result: null } : { isTouched: false, result: run([tag, ...rest]) };
}

function lateReceipt(result: unknown, head: number): Late {
  const isTouched = isJsonObject(result) && Number(result["blockNumber"]) > head;
  return { isTouched, result: isTouched ? null : result };
}

function lateLogs(run: RpcMethod, [filter]: Params, head: number): Late {
  if (!isJsonObject(filter) || filter["blockHash"] !== undefined) return { isTouched: false, result: run([filter]) };
  const { fromBlock, toBlock } = filter;
  if (Number(fromBlock) > head || Number(toBlock) > head) {
    return { isTouched: true, error: new RpcError(-32000, "invalid block range params") };
  }
  const place = (tag: unknown): unknown => (isNewest(tag) ? numberToHex(head) : tag);
  const isTouched = isNewest(fromBlock) || isNewest(toBlock);
  return { isTouched, result: run([{ ...filter, fromBlock: place(fromBlock), toBlock: place(toBlock) }]) };
}

function isNewest(tag: unknown): boolean {
  return tag === undefined || tag === null || tag === "latest" || tag === "pending";
}
