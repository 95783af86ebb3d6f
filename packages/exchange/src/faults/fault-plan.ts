import { faultDoor, type FaultDoor } from "./fault-door.ts";
import { type FaultKind, fault } from "./fault.ts";
import { z } from "zod";

const http: readonly FaultDoor[] = ["gamma", "clob", "data", "rpc", "kalshi", "hackernews", "gdelt", "x"];
const sockets: readonly FaultDoor[] = ["ws", "rtds", "kalshi_ws", "jetstream"];
const all = faultDoor.options;
const listings: readonly FaultDoor[] = ["gamma", "data", "kalshi", "hackernews", "x"];

/**
 * Endpoints each kind applies to (also its default), and a one-line description. On a websocket endpoint, HTTP kinds
 * apply to the handshake.
 */
export const faultKinds: Readonly<Record<FaultKind, { doors: readonly FaultDoor[]; about: string }>> = {
  refuse: { doors: all, about: "429, with Retry-After or without, in the words of the door" },
  fail: { doors: all, about: "500, 502, 503 or 504, as JSON or as an HTML page" },
  hang: { doors: all, about: "no answer until the client gives up or the fault ends" },
  slow: { doors: http, about: "an answer delay_ms later, give or take jitter_ms" },
  half_body: { doors: http, about: "a body that is cut in the middle, with the whole Content-Length" },
  garbage: { doors: http, about: "200 with an HTML challenge page in place of JSON" },
  reset: { doors: all, about: "the connection is closed before any answer" },
  repeat_page: { doors: listings, about: "the page before is answered again, with its old cursor" },
  skip_page: { doors: listings, about: "a page is passed over, as if nothing happened" },
  shuffle: { doors: http, about: "the rows of a page in another order" },
  duplicate_rows: { doors: http, about: "rows of a page twice" },
  drift: { doors: all, about: "a field is renamed, removed, null or of another type" },
  freeze: { doors: sockets, about: "the connection stays open and nothing comes any more, no PONG either" },
  cut: { doors: sockets, about: "connections are closed, with a close frame or without" },
  drop_frames: { doors: sockets, about: "frames are lost" },
  duplicate_frames: { doors: sockets, about: "frames come twice" },
  reorder_frames: { doors: sockets, about: "a frame comes after the one that follows it" },
  corrupt_frame: { doors: sockets, about: "a frame is cut short and is not JSON" },
  reorg: { doors: ["rpc"], about: "the newest blocks are replaced: transactions move, some never come back" },
  lag: { doors: ["rpc"], about: "a node that is behind the head; beyond it: invalid block range params" },
  prune: { doors: ["rpc"], about: "history older than so many blocks is gone" },
  skew: { doors: all, about: "the Date header and the times stamped on frames are off" },
  restart: {
    doors: all.filter((door) => door !== "kalshi_ws"),
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
    for (const [index, { kind, door }] of plan.faults.entries()) {
      const wrong = [door ?? []].flat().find((each) => !faultKinds[kind].doors.includes(each));
      if (wrong === undefined) continue;
      const message = `${kind} does not apply to ${wrong}, only to ${faultKinds[kind].doors.join(", ")}`;
      context.addIssue({ code: "custom", path: ["faults", index, "door"], message });
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
    { kind: "refuse", door: "data", share: 0.3, retry_after_seconds: 2, after_seconds: 30, for_seconds: 60 },
    { kind: "refuse", door: ["gamma", "kalshi"], share: 0.3, after_seconds: 60, for_seconds: 60 },
    { kind: "fail", door: "clob", share: 0.2, statuses: [502, 503], html: true },
    { kind: "slow", door: "rpc", share: 0.1, delay_ms: 3000, jitter_ms: 1000 },
    { kind: "half_body", door: "data", share: 0.02 },
    { kind: "repeat_page", door: "kalshi", path: "/trade-api/v2/markets/trades", share: 0.05 },
    { kind: "drift", door: "data", path: "/v2/trades", field: "price", change: "rename", after_seconds: 300, count: 5 },
    { kind: "freeze", door: "ws", share: 0.5, after_seconds: 120, for_seconds: 90 },
    { kind: "cut", door: ["ws", "kalshi_ws"], every_seconds: 45, share: 0.3 },
    { kind: "reorg", depth: 12, every_seconds: 30 },
    { kind: "lag", blocks: 4, share: 0.2 },
    { kind: "restart", door: "kalshi", after_seconds: 240, down_seconds: 10 },
  ],
};
