import { z } from "zod";
import { faultDoor } from "./fault-door.ts";

const seconds = z.number().min(0).max(86_400);
const share = z.number().min(0).max(1);
const blocks = z.int().min(1).max(1_000_000);

/** What every fault can say. Seconds are wall seconds since the plan was set. */
const common = {
  /** Default: every door the kind applies to. */
  door: z.union([faultDoor, z.array(faultDoor).min(1).max(faultDoor.options.length)]).optional(),
  /** HTTP: how the path begins, version and all. RPC: a method. Websockets: event_type, type or topic of the frame. */
  path: z.string().min(1).max(200).optional(),
  after_seconds: seconds.default(0),
  /** Default: until the plan is cleared. */
  for_seconds: seconds.optional(),
  /** Chance for each request, frame or connection. */
  share: share.default(1),
  /** At most so often, over all doors. */
  count: z.int().min(1).optional(),
};

/** While it is in force a listing with a cursor gives at most so many rows a page, so that there are pages to turn. */
const pages = { page_rows: z.int().min(1).max(1000).optional() };

/** Done every so often; without `every_seconds` once, when the fault begins. */
const scheduled = { ...common, every_seconds: z.number().min(0.1).max(86_400).optional() };

const kind = <Kind extends string, Shape extends z.core.$ZodShape>(name: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(name), ...common, ...shape });

/** One fault of a plan. Each imitates something the references tell of; docs/faults.md says which. */
export const fault = z.discriminatedUnion("kind", [
  kind("refuse", {
    /** Sent as Retry-After; absent: no such header. */
    retry_after_seconds: z.int().min(0).max(3600).optional(),
    /** RPC only: HTTP 429, or HTTP 200 with the JSON-RPC error -32005. */
    rpc_as: z.enum(["http", "json_rpc"]).default("http"),
  }),
  kind("fail", {
    /** One of them by chance. */
    statuses: z.array(z.int().min(500).max(599)).min(1).max(8).default([500, 502, 503, 504]),
    /** An HTML page of the edge instead of the door's own JSON error. */
    html: z.boolean().default(false),
    retry_after_seconds: z.int().min(0).max(3600).optional(),
  }),
  kind("hang", {}),
  kind("slow", {
    delay_ms: z.int().min(0).max(120_000),
    /** Up to so much more or less. */
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
    /** Of a row, a frame or a result; dots go into objects, as in `market.volume`. */
    field: z.string().min(1).max(120),
    change: z.enum(["rename", "remove", "retype", "null"]),
    /** New name for `rename`; default the old one and `_v2`. */
    to: z.string().min(1).max(120).optional(),
    rows_share: share.default(1),
  }),
  kind("freeze", {}),
  z.strictObject({
    kind: z.literal("cut"),
    ...scheduled,
    /** Close code; absent: the connection is destroyed without a close frame. */
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
    /** Transactions that land in a later block, some of them after the old head. */
    moved_share: share.default(0.2),
    /** Matches that never come back. */
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

/** What kind of fault. */
export type FaultKind = Fault["kind"];

/** A fault of a kind. */
export type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>;
