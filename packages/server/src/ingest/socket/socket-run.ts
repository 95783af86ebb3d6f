import { MIB } from "../../definition/upstream-bounds.ts";
import type { Feed, SocketConnector } from "../../definition/connector.ts";
import type { Waiting } from "./park-arrival.ts";
import type { BackoffPace } from "../clock.ts";
import type { Budget } from "../budget.ts";
import type { Park } from "../feed/accept.ts";
import type { PullRun } from "../pull.ts";
import type { RawLog } from "../raw/raw-log.ts";
import type { Wakes } from "../waking.ts";
import type { ClockSteps } from "./clock-steps.ts";
import { ECHO_MS } from "./echo.ts";
import type { FollowLog } from "./follow-log.ts";
import type { VenueLead } from "./row-clock.ts";

export type SocketPace = {
  readonly handshakeMs: number;
  /** Default if the host sets none. */
  readonly maxPayloadBytes: number;
  /** Maximum undecoded frames of a socket before it is dropped; `maxChars` is for all the stream's sockets together. */
  readonly maxFrames: number;
  readonly maxChars: number;
  /** How long a socket gathers rows before passing them on. */
  readonly gatherMs: number;
  /** Minimum time between starts of the stream's inserts. */
  readonly flushMs: number;
  readonly flushRows: number;
  readonly reconnect: BackoffPace;
  /** Pause between attempts to store rows that the store did not accept. */
  readonly storeAgain: BackoffPace;
  /** Pause before a state is requested again, if an instrument broke again within a minute or the venue failed. */
  readonly resyncAgain: BackoffPace;
  /** How often instruments no longer followed are checked, and the time from the first answer to the next request. */
  readonly leavingMs: number;
  readonly leavingAgainMs: number;
  /** How often a ping checks whether everything sent has arrived. */
  readonly echoMs: number;
  readonly refreshSeconds: number;
  /** How often a socket is compared with the venue's states, and how late their changes may arrive on it. */
  readonly checkSeconds: number;
  readonly graceMs: number;
  readonly saveSeconds: number;
  /** Instruments beyond the capacity of these are omitted, and an ongoing gap reports it. */
  readonly maxSockets: number;
};

export const SOCKET_PACE: SocketPace = {
  handshakeMs: 10_000,
  maxPayloadBytes: 2 * MIB,
  maxFrames: 50_000,
  maxChars: 128 * 1024 * 1024,
  gatherMs: 50,
  flushMs: 200,
  flushRows: 1000,
  reconnect: { firstMs: 500, maxMs: 30_000 },
  storeAgain: { firstMs: 200, maxMs: 10_000 },
  resyncAgain: { firstMs: 1000, maxMs: 60_000 },
  leavingMs: 1000,
  leavingAgainMs: 10_000,
  echoMs: ECHO_MS,
  refreshSeconds: 20,
  checkSeconds: 30,
  graceMs: 8000,
  saveSeconds: 2,
  maxSockets: 100,
};

export type SocketRun = Pick<
  PullRun,
  "db" | "write" | "known" | "clock" | "log" | "metrics" | "watch" | "signal" | "venueNow"
> & {
  readonly connector: SocketConnector;
  /** Address of the websocket host, to which the connector's path is appended. */
  readonly baseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Budget of the websocket host: connections and sent frames count against it. */
  readonly budget: Budget;
  /** Access to the connector's `resyncHost`, if it has one. */
  readonly feed: Feed | undefined;
  readonly park: Park;
  readonly raw?: RawLog | undefined;
  readonly pace?: Partial<SocketPace>;
  /** Wakes streams that bring the rows announced by this one. */
  readonly wakes?: Pick<Wakes, "receive" | "missedAt">;
};

/** Key of the gap from rows that the venue stamped ahead until their times are past. */
export const AHEAD = "ahead";
export const STAMPED_AHEAD = "the venue stamped rows ahead of this machine's clock";
/** Key of the gap from the earliest time to which the venue's clock went back until it was right again. */
export const BACK = "back";

export type PacedRun = SocketRun & {
  readonly followed: FollowLog;
  readonly pace: SocketPace;
  readonly venueNow: () => number;
  readonly onClockStep: ClockSteps["onStep"];
  readonly lead: VenueLead;
  readonly waiting: Waiting;
  /** Time (Unix ms) from which this run's sockets have no proven data of an earlier run. */
  readonly beganFrom: () => number;
};
