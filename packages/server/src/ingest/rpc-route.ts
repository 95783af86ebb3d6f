import type { Host } from "../definition/connector.ts";

/** The budget route that a host's JSON-RPC calls count against. */
export const rpcRouteOf = ({ limits }: Host): string => (limits["rpc"] === undefined ? "all" : "rpc");
