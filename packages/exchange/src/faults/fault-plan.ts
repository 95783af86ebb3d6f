import { faultEndpoint, type FaultEndpoint } from "./fault-endpoint.ts";
import { type FaultKind, fault } from "./fault.ts";
import { z } from "zod";

const http: readonly FaultEndpoint[] = ["gamma", "clob", "data", "rpc", "kalshi", "hackernews", "gdelt", "x"];
const sockets: readonly FaultEndpoint[] = ["ws", "rtds", "kalshi_ws", "jetstream"];
const all = faultEndpoint.options;
const listings: readonly FaultEndpoint[] = ["gamma", "data", "kalshi", "hackernews", "x"];

/**
 * Endpoints each kind applies to (also its default), and a one-line description. On a websocket endpoint, HTTP kinds
 * apply to the handshake.
 */
export const faultKinds: Readonly<Record<FaultKind, { endpoints: readonly FaultEndpoint[]; about: string }>> = {
  refuse: { endpoints: all, about: "429, with Retry-After or without, in the words of the endpoint" },
  fail: { endpoints: all, about: "500, 502, 503 or 504, as JSON or as an HTML page" },
  hang: { endpoints: all, about: "no answer until the client gives up or the fault ends" },
  slow: { endpoints: http, about: "an answer delay_ms later, give or take jitter_ms" },
  half_body: { endpoints: http, about: "a body that is cut in the middle, with the whole Content-Length" },
  garbage: { endpoints: http, about: "200 with an HTML challenge page in place of JSON" },
  reset: { endpoints: all, about: "the connection is closed before any answer" },
  repeat_page: { endpoints: listings, about: "the page before is answered again, with its old cursor" },
  skip_page: { endpoints: listings, about: "a page is passed over, as if nothing happened" },
  shuffle: { endpoints: http, about: "the rows of a page in another order" },
  duplicate_rows: { endpoints: http, about: "rows of a page twice" },
  drift: { endpoints: all, about: "a field is renamed, removed, null or of another type" },
  freeze: { endpoints: sockets, about: "the connection stays open and nothing comes any more, no PONG either" },
  cut: { endpoints: sockets, about: "connections are closed, with a close frame or without" },
  drop_frames: { endpoints: sockets, about: "frames are lost" },
  duplicate_frames: { endpoints: sockets, about: "frames come twice" },
  reorder_frames: { endpoints: sockets, about: "a frame comes after the one that follows it" },
  corrupt_frame: { endpoints: sockets, about: "a frame is cut short and is not JSON" },
  reorg: { endpoints: ["rpc"], about: "the newest blocks are replaced: transactions move, some never come back" },
  lag: { endpoints: ["rpc"], about: "a node that is behind the head; beyond it: invalid block range params" },
  prune: { endpoints: ["rpc"], about: "history older than so many blocks is gone" },
  skew: { endpoints: all, about: "the Date header and the times stamped on frames are off" },
  restart: {
    endpoints: all.filter((endpoint) => endpoint !== "kalshi_ws"),
    about: "connections are refused for a while, then the same port answers again",
  },
};

/** Faults of the endpoints and their schedule: the body of `POST /faults` and the file of `--faults`. */
export const faultPlan = z
  .strictObject({
    /** The same plan, seed and order of requests give the same faults. */
    seed: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .default(1),
    faults: z.array(fault).max(64),
  })
  .superRefine((plan, context) => {
    for (const [index, { kind, endpoint }] of plan.faults.entries()) {
      const wrong = [endpoint ?? []].flat().find((each) => !faultKinds[kind].endpoints.includes(each));
      if (wrong === undefined) continue;
      const message = `${kind} does not apply to ${wrong}, only to ${faultKinds[kind].endpoints.join(", ")}`;
      context.addIssue({ code: "custom", path: ["faults", index, "endpoint"], message });
    }
  });

/** Plan as input: fields with defaults may be omitted. */
export type FaultPlanInput = z.input<typeof faultPlan>;

/** Plan with all defaults filled in. */
export type FaultPlan = z.output<typeof faultPlan>;

/** Example printed by `exchange faults`: 15 minutes with a mix of faults. */
export const examplePlan: FaultPlanInput = {
  seed: 7,
  faults: [
    { kind: "refuse", endpoint: "data", share: 0.3, retry_after_seconds: 2, after_seconds: 30, for_seconds: 60 },
    { kind: "refuse", endpoint: ["gamma", "kalshi"], share: 0.3, after_seconds: 60, for_seconds: 60 },
    { kind: "fail", endpoint: "clob", share: 0.2, statuses: [502, 503], html: true },
    { kind: "slow", endpoint: "rpc", share: 0.1, delay_ms: 3000, jitter_ms: 1000 },
    { kind: "half_body", endpoint: "data", share: 0.02 },
    { kind: "repeat_page", endpoint: "kalshi", path: "/trade-api/v2/markets/trades", share: 0.05 },
    {
      kind: "drift",
      endpoint: "data",
      path: "/v2/trades",
      field: "price",
      change: "rename",
      after_seconds: 300,
      count: 5,
    },
    { kind: "freeze", endpoint: "ws", share: 0.5, after_seconds: 120, for_seconds: 90 },
    { kind: "cut", endpoint: ["ws", "kalshi_ws"], every_seconds: 45, share: 0.3 },
    { kind: "reorg", depth: 12, every_seconds: 30 },
    { kind: "lag", blocks: 4, share: 0.2 },
    { kind: "restart", endpoint: "kalshi", after_seconds: 240, down_seconds: 10 },
  ],
};
