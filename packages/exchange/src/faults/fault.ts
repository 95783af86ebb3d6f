import { z } from "zod";
import { faultEndpoint } from "./fault-endpoint.ts";

const seconds = z.number().min(0).max(86_400);
const share = z.number().min(0).max(1);
const blocks = z.int().min(1).max(1_000_000);

/** Fields common to all faults. Seconds are wall-clock seconds since the plan was set. */
const common = {
  /** Default: every endpoint the kind applies to. */
  endpoint: z.union([faultEndpoint, z.array(faultEndpoint).min(1).max(faultEndpoint.options.length)]).optional(),
  /** HTTP: path prefix including the version. RPC: method. Websockets: event_type, type or topic of the frame. */
  path: z.string().min(1).max(200).optional(),
  after_seconds: seconds.default(0),
  /** Default: until the plan is cleared. */
  for_seconds: seconds.optional(),
  /** Probability per request, frame or connection. */
  share: share.default(1),
  /** Maximum number of times, over all endpoints. */
  count: z.int().min(1).optional(),
};

/**
 * Maximum rows per page of a listing with cursor or page number while the fault is active, so that there are several
 * pages.
 */
const pages = { page_rows: z.int().min(1).max(1000).optional() };

/** Repeats every `every_seconds`; without it, runs once when the fault begins. */
const scheduled = { ...common, every_seconds: z.number().min(0.1).max(86_400).optional() };

const kind = <Kind extends string, Shape extends z.core.$ZodShape>(name: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(name), ...common, ...shape });

/** One fault of a plan. Each imitates a behaviour described in the reference documents; docs/faults.md says which. */
export const fault = z.discriminatedUnion("kind", [
  kind("refuse", {
    /** Sent as Retry-After; no header if absent. */
    retry_after_seconds: z.int().min(0).max(3600).optional(),
    /** RPC only: HTTP 429, or HTTP 200 with the JSON-RPC error -32005. */
    rpc_as: z.enum(["http", "json_rpc"]).default("http"),
  }),
  kind("fail", {
    /** One is picked at random. */
    statuses: z.array(z.int().min(500).max(599)).min(1).max(8).default([500, 502, 503, 504]),
    /** An HTML page as sent by the edge proxy instead of the endpoint's own JSON error. */
    html: z.boolean().default(false),
    retry_after_seconds: z.int().min(0).max(3600).optional(),
  }),
  kind("hang", {}),
  kind("slow", {
    delay_ms: z.int().min(0).max(120_000),
    /** Maximum deviation either way. */
    jitter_ms: z.int().min(0).max(120_000).default(0),
  }),
  kind("half_body", {}),
  kind("garbage", {}),
  kind("reset", {}),
  kind("repeat_page", pages),
  kind("skip_page", pages),
  kind("shuffle", {}),
  kind("duplicate_rows", { rows_share: share.default(1) }),
  kind("drift", {
    /** Field of a row, a frame or a result; dots descend into objects, as in `market.volume`. */
    field: z.string().min(1).max(120),
    change: z.enum(["rename", "remove", "retype", "null"]),
    /** New name for `rename`; default: the old name with suffix `_v2`. */
    to: z.string().min(1).max(120).optional(),
    rows_share: share.default(1),
  }),
  kind("freeze", {}),
  z.strictObject({
    kind: z.literal("cut"),
    ...scheduled,
    /** Close code; if absent, the connection is destroyed without a close frame. */
    code: z.int().min(1000).max(4999).optional(),
  }),
  kind("drop_frames", {}),
  kind("duplicate_frames", {}),
  kind("reorder_frames", {}),
  kind("corrupt_frame", {}),
  z.strictObject({
    kind: z.literal("reorg"),
    ...scheduled,
    depth: z.int().min(1).max(32),
    /** Share of transactions that land in a later block, some of them after the old head. */
    moved_share: share.default(0.2),
    /** Share of matches that never come back. */
    dropped_share: share.default(0.02),
  }),
  kind("lag", { blocks }),
  kind("prune", { blocks }),
  kind("skew", { offset_seconds: z.number().min(-31_536_000).max(31_536_000) }),
  z.strictObject({
    kind: z.literal("restart"),
    ...scheduled,
    /** How long connections are refused. */
    down_seconds: z.number().min(0.1).max(3600).default(5),
  }),
]);

/** A fault with its defaults filled in. */
export type Fault = z.output<typeof fault>;

/** Name of a fault kind. */
export type FaultKind = Fault["kind"];

/** A fault of a given kind. */
export type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>;
