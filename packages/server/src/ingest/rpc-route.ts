import type { Host } from "../definition/connector.ts";

/** The budget's route that JSON-RPC calls of a host count against. */
export const rpcRouteOf = ({ limits }: Host): string => (limits["rpc"] === undefined ? "all" : "rpc");
