import type { FastifyRequest } from "fastify";
import type { FaultDoor } from "../fault-door.ts";
import { isJsonObject } from "../json-object.ts";

/** Header of requests that the faults themselves send to an endpoint; these bypass all faults. */
export const INNER_HEADER = "x-fault-inner";

/** Path of a request for matching faults; for RPC it is the method, for a batch the first method. */
export function requestedPath(door: FaultDoor, request: FastifyRequest): string {
  if (door !== "rpc") return request.url.split("?", 1)[0] ?? request.url;
  const first: unknown = Array.isArray(request.body) ? request.body[0] : request.body;
  return isJsonObject(first) ? String(first["method"]) : "";
}
