import type { z } from "zod";
import type { BlockScope } from "./block-scope.ts";
import type { Known } from "./known.ts";
import type { Heard, ListenOptions } from "./listen.ts";
import type { Resynced, Session } from "./session.ts";
import type { StoredFills, StoredPosts } from "./stored-by-streams.ts";
import type { InsertRow, TableDefinition } from "./table.ts";
import type { Venue } from "./venue.ts";

/** A place in a stream: plain JSON, saved only after the rows before it are stored. */
export type Cursor = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Rows for one table. A table with versions takes the newest row of a key; "if_absent" leaves a stored one alone
 * (a trade that names its market must not overwrite the catalogue).
 */
export type TableRows = {
  readonly table: TableDefinition;
  readonly rows: readonly InsertRow[];
  readonly mode?: "if_absent";
  /** Set where the rows are all there is of some blocks: what else is stored of these is taken back. */
  readonly allOf?: BlockScope;
};

/** Rows for one or more tables, and the cursor that is right once they are stored. */
export type Batch = {
  readonly rows: readonly TableRows[];
  readonly cursor: Cursor;
  /** The moment up to which this stream is now complete (ISO), for coverage and the progress bar. */
  readonly reached?: string;
  /** The earliest moment this stream now covers (ISO), when it walks backwards. */
  readonly since?: string;
  /** Something the operator should know: repeated pages noticed, rows the upstream gave twice. */
  readonly notices?: readonly {
    readonly kind: "repeated_page" | "duplicate_rows" | "upstream_note";
    readonly text: string;
    readonly count: number;
  }[];
  /** What a check found, for its status and metrics: fills alike in both sources, and those only one of them has. */
  readonly compared?: { readonly agreed: number; readonly missing: number; readonly unlisted: number };
  /** A hole noticed while walking, of this stream or of the one it names; it is written down and shown until filled. */
  readonly gap?: { readonly stream?: string; readonly from: string; readonly to: string; readonly reason: string };
  /** True at the end of a walk over blocks: what was stored of abandoned ones up to here is taken back. */
  readonly isCanonical?: boolean;
  /** True when there is nothing more to fetch now; the schedule then waits for the next turn. */
  readonly isCaughtUp?: boolean;
  /** True where nothing could be read on the way here: the place is saved, and the turn that ends so is no success. */
  readonly isFailing?: boolean;
  /** True where the walk is caught up and listens on: its turn does not end with this batch. */
  readonly listensOn?: boolean;
};

/** What one call upstream costs and which documented limit it counts against. */
export type Call = {
  readonly path: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: unknown;
  /** The budget's route, one of the host's `routes`. */
  readonly route: string;
  readonly cost?: number;
  /** Statuses that are answers rather than failures (e.g. 404 for a closed book); the feed returns undefined. */
  readonly absentOn?: readonly number[];
  /**
   * What is missing (Unix ms) when the answer is of a wrong shape, where the walk can go on without it: the answer is
   * parked with that hole and the call gives undefined. Without it the call throws and the walk stays where it is.
   */
  readonly ifChanged?: { readonly from: number; readonly to: number; readonly instruments?: readonly string[] };
  /** Where its answer is larger than the others of its host. */
  readonly mostBytes?: number;
  /** What the upstream bills for it; needed on a host with a `dailyCap`. */
  readonly price?: Price;
};

/** In millionths of a dollar. `mostMicro` is set aside before the call; what was not billed is given back after it. */
export type Price = {
  readonly mostMicro: number;
  /** What was billed for this answer; undefined where it does not tell, and all that was set aside counts. */
  readonly billedMicro: (answer: unknown) => number | undefined;
};

/**
 * How a connector reaches its venue. Waiting for the budget, retrying 429 and 5xx, timeouts and parking answers
 * of a wrong shape happen inside: a call resolves to a parsed reply or throws for good.
 */
export type Feed = {
  readonly get: <T extends z.ZodType>(call: Call, reply: T) => Promise<z.output<T> | undefined>;
  readonly post: <T extends z.ZodType>(call: Call, reply: T) => Promise<z.output<T> | undefined>;
  /** A JSON-RPC call on a host whose protocol is JSON-RPC. */
  readonly rpc: <T extends z.ZodType>(method: string, params: readonly unknown[], reply: T) => Promise<z.output<T>>;
  /**
   * On a host whose address is a websocket's: connects and gives what comes, about twice a second, and reads no faster
   * than it is taken. A frame of a wrong shape is parked with a gap at its moment. Throws when the socket ends.
   */
  readonly listen: <T extends z.ZodType>(
    call: Call,
    frame: T,
    options: ListenOptions,
  ) => AsyncGenerator<Heard<z.output<T>>, void, void>;
};

/** A documented limit: so many tokens in so many seconds, and how deep the bucket is. */
export type Limit = { readonly tokens: number; readonly perSeconds: number; readonly burst?: number };

/** An upstream host: the setting that names its address, its documented limits by route ("all" is shared by every route). */
export type Host = {
  readonly name: string;
  readonly setting: string;
  readonly limits: Readonly<Record<string, Limit>>;
  /** Share of the documented limit we take, 0–1. */
  readonly share: number;
  /** An answer or a frame is not read beyond so many bytes; by what the host's largest pages are. */
  readonly mostBytes?: number;
  /** The setting that says how many tokens a second `all` has, where that hangs on who asks. */
  readonly granted?: string;
  /** Sent with every call (e.g. the language the texts are wanted in). */
  readonly headers?: Readonly<Record<string, string>>;
  /** The setting whose value goes with every call as a bearer token. */
  readonly bearer?: string;
  /** The setting (USD) that what a UTC day's calls cost never passes. */
  readonly dailyCap?: string;
  /** How an answer's text is read where it is not always plain JSON. A throw means that this was no answer: again. */
  readonly parse?: (text: string) => unknown;
  /** For an upstream that is down or sheds load for long: after so many failures in a row nothing is asked for a while. */
  readonly breaker?: Breaker;
};

/** One call is tried after `firstSeconds`; each time that it fails the wait is twice as long, `mostSeconds` at the most. */
export type Breaker = { readonly failures: number; readonly firstSeconds: number; readonly mostSeconds: number };

export type PullOptions = {
  readonly feed: Feed;
  /** Feeds of the other hosts a connector named in `also`. */
  readonly also: Readonly<Record<string, Feed>>;
  /** Where the last run got to; undefined at the very first. */
  readonly cursor: Cursor | undefined;
  /**
   * Present where the cursor was read anew, as at a start and after a failure: rows that a turn stored behind it may be
   * there already, up to this moment (by `now`, ms) where that turn was of this process.
   */
  readonly resumed?: { readonly storedTo: number | undefined } | undefined;
  /** The range asked for by a backfill (ISO); a live run has none. */
  readonly range?: { readonly from: string; readonly to: string };
  /** How often the range was walked before (see `walksAgain`); 0 or absent the first time. */
  readonly walk?: number;
  /** Now, by the venue-independent clock handed to the service (ms). */
  readonly now: () => number;
  /** What the store already knows that this walk needs (e.g. the active tokens); some questions are about `among`. */
  readonly known: (question: Known, among?: readonly string[]) => Promise<readonly string[]>;
  /** For a check of what another stream stored; absent in backfills. */
  readonly storedFills?: StoredFills | undefined;
  /** For a second look at what was stored; absent in backfills. */
  readonly storedPosts?: StoredPosts | undefined;
  /** What the host may bill from now on (millionths of USD), spread over the UTC day; absent where it has no cap. */
  readonly spendable?: (() => Promise<number>) | undefined;
  readonly signal: AbortSignal;
};

type Stream = {
  readonly name: string;
  readonly title: string;
  readonly venue: Venue;
  /** Of a socket a websocket host: its setting holds a ws:// or wss:// URL. */
  readonly host: Host;
  readonly tables: readonly TableDefinition[];
  /** Tables it adds rows to that other streams hold whole: what those hold does not hang on this one. */
  readonly addsTo?: readonly TableDefinition[];
  /** The settings without which it stays off, and what it adds when on. */
  readonly needs?: { readonly settings: readonly string[]; readonly adds: string };
  /**
   * The rows of a page or frame that was parked, stored as its others are; empty for one that has none of its own. Absent
   * where none means anything by itself.
   */
  readonly replay?: (page: ReplayedPage) => readonly TableRows[];
};

/** By which stream a walk is woken: that one hears of rows sooner than they can be read here. */
export type WokenBy = {
  readonly stream: string;
  /** The column whose values are heard of (a transaction). */
  readonly column: string;
  /** The least rest between two turns. */
  readonly restSeconds: number;
  /** So many turns are taken for what was heard of and does not come. */
  readonly turns: number;
};

/** A stream that is walked by calls. */
export type PullConnector = Stream & {
  readonly kind: "pull";
  readonly also?: readonly Host[];
  /** How often the live walk is repeated when it was caught up. */
  readonly everySeconds: number;
  readonly wokenBy?: WokenBy;
  /** Its tables hold what it chose to ask for, and say what that is: coverage of an answer does not hang on it. */
  readonly isSelective?: true;
  /** What a selective stream holds of its venue, where no other stream brings more of it: said with every answer. */
  readonly holdsOnly?: string;
  /** Its calls wait behind those of live streams, as a backfill's do. */
  readonly isPatient?: true;
  /** Set when the stream can walk a past range for `almanac backfill`. */
  readonly canBackfill: boolean;
  /**
   * Set where nothing else would notice a page of a backfill that was passed over: the range is walked until a walk finds
   * no row that is not stored. Each should cut its pages elsewhere (`walk`).
   */
  readonly walksAgain?: true;
  /** A stream that makes this one unnecessary while it is on (chain logs in place of the Data API). */
  readonly replacedBy?: string;
  readonly pull: (options: PullOptions) => AsyncGenerator<Batch, void, void>;
};

/** A parked page, to be read again. */
export type ReplayedPage = {
  /** As it was asked, with its query; for JSON-RPC the method and its parameters. */
  readonly path: string;
  /** Parses the page; rows that are still wrong are left out and stay parked. Throws a zod error for a wrong page. */
  readonly read: <T extends z.ZodType>(reply: T) => z.output<T>;
  /** When it was received (Unix ms). */
  readonly receivedMs: number;
};

/** A stream that arrives over websockets, with a REST resync. */
export type SocketConnector = Stream & {
  readonly kind: "socket";
  readonly path: string;
  /** Headers of the handshake (a signed one needs the settings named in `needs`). */
  readonly headers?: (settings: Readonly<Record<string, string>>, nowMs: number) => Record<string, string>;
  /** What the store says there is to follow, or a list that never changes (the topics of a feed of everything). */
  readonly instruments: Known | readonly string[];
  readonly maxInstrumentsPerSocket: number;
  readonly heartbeat?: { readonly send: string; readonly everySeconds: number };
  /** No frame for so long means a frozen socket: reconnect and resync. */
  readonly silentAfterSeconds: number;
  /** The frames that count against that silence; every frame when absent, answers to heartbeats too. */
  readonly isData?: (frame: string) => boolean;
  /**
   * How often every state is compared with the venue's over REST. For streams without sequence numbers, where a message
   * that is lost and followed by nothing shows in no other way.
   */
  readonly compareSeconds?: number;
  /** Its rows come whole from other streams, only later: what it misses is no gap. */
  readonly isEarly?: boolean;
  readonly session: () => Session;
  /** Full states over REST, for the first sync, after gaps and after reconnects; absent where instruments have none. */
  readonly resyncHost?: Host;
  readonly resync?: (feed: Feed, instruments: readonly string[]) => AsyncGenerator<Resynced, void, void>;
};

export type Connector = PullConnector | SocketConnector;

export const definePull = (connector: Omit<PullConnector, "kind">): PullConnector => ({ kind: "pull", ...connector });
export const defineSocket = (connector: Omit<SocketConnector, "kind">): SocketConnector => ({
  kind: "socket",
  ...connector,
});
