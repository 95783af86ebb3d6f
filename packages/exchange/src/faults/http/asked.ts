import type { FastifyRequest } from "fastify";
import type { FaultDoor } from "../fault-door.ts";
import { isJsonObject } from "../json-object.ts";

/** Header of the requests that the faults themselves make of a door: those get the truth. */
export const INNER_HEADER = "x-fault-inner";

/** The path of a request as faults know it: of RPC the method, of a batch the first. */
export function askedPath(door: FaultDoor, request: FastifyRequest): string {
  if (door !== "rpc") return request.url.split("?", 1)[0] ?? request.url;
  const first: unknown = Array.isArray(request.body) ? request.body[0] : request.body;
  return isJsonObject(first) ? String(first["method"]) : "";
}
