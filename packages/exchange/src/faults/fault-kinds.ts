import { faultDoor, type FaultDoor } from "./fault-door.ts";
import type { FaultKind } from "./fault.ts";

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
