import { MIB } from "../../definition/mib.ts";
import type { Feed, SocketConnector } from "../../definition/connector.ts";
import type { Waiting } from "./park-arrival.ts";
import type { BackoffPace } from "../backoff.ts";
import type { Budget } from "../budget.ts";
import type { Park } from "../feed/park.ts";
import type { PullRun } from "../pull.ts";
import type { RawLog } from "../raw/raw-log.ts";
import type { Wakes } from "../waking.ts";
import type { ClockSteps } from "./clock-steps.ts";
import { ECHO_MS } from "./echo.ts";
import type { FollowLog } from "./follow-log.ts";
import type { VenueLead } from "./row-clock.ts";

export type SocketPace = {
  readonly handshakeMs: number;
  /** Where the host does not say. */
  readonly maxPayloadBytes: number;
  /** What may wait undecoded on one socket before it is dropped; `maxChars` on all of the stream's sockets together. */
  readonly maxFrames: number;
  readonly maxChars: number;
  /** How long a socket gathers rows before it hands them over. */
  readonly gatherMs: number;
  /** Inserts of the stream begin at least so far apart. */
  readonly flushMs: number;
  readonly flushRows: number;
  readonly reconnect: BackoffPace;
  /** Between tries to store rows that the store did not take. */
  readonly storeAgain: BackoffPace;
  /** Before a state is asked for again, of an instrument that broke again within a minute or of a venue that failed. */
  readonly resyncAgain: BackoffPace;
  /** How often those that are followed no more are looked at, and how long after the first answer one is asked for again. */
  readonly leavingMs: number;
  readonly leavingAgainMs: number;
  /** How often a ping asks whether all that was sent has arrived. */
  readonly echoMs: number;
  readonly refreshSeconds: number;
  /** How often a socket is compared with the venue's states, and how long what they show may take to come over it. */
  readonly checkSeconds: number;
  readonly graceMs: number;
  readonly saveSeconds: number;
  /** Instruments beyond what these hold are left out, and a lasting gap says so. */
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
  reconnect: { firstMs: 500, mostMs: 30_000 },
  storeAgain: { firstMs: 200, mostMs: 10_000 },
  resyncAgain: { firstMs: 1000, mostMs: 60_000 },
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
  /** The address of the websocket host; the connector's path is put after it. */
  readonly baseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Of the websocket host: connections and frames sent count against it. */
  readonly budget: Budget;
  /** Reaches the connector's `resyncHost`, where it has one. */
  readonly feed: Feed | undefined;
  readonly park: Park;
  readonly raw?: RawLog | undefined;
  readonly pace?: Partial<SocketPace>;
  /** Wakes the streams that bring what this one hears of. */
  readonly wakes?: Pick<Wakes, "hear">;
};

/** The key of the gap from rows that the venue stamped ahead to when their moments are past. */
export const AHEAD = "ahead";
/** The key of the gap from the earliest moment to which the venue's clock went back to when it was right again. */
export const BACK = "back";

export type PacedRun = SocketRun & {
  readonly followed: FollowLog;
  readonly pace: SocketPace;
  readonly venueNow: () => number;
  readonly onClockStep: ClockSteps["onStep"];
  readonly lead: VenueLead;
  readonly waiting: Waiting;
  /** The moment (Unix ms) from which on this run's sockets hold nothing proven of an earlier one. */
  readonly beganFrom: () => number;
};
