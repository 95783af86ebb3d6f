import type { z } from "zod";
import type { BlockScope } from "./spans.ts";
import type { Known, StoredFills, StoredPosts } from "./known.ts";
import type { Listener, ListenOptions } from "./listen.ts";
import type { Resynced, Session } from "./session.ts";
import type { InsertRow, TableDefinition } from "./table.ts";
import type { Venue } from "./vocabulary.ts";

/** A position in a stream: plain JSON, saved only after the rows before it are stored. */
export type Cursor = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Rows for one table. A table with versions keeps the newest row of a key; "if_absent" leaves a stored row alone (a
 * trade that names its market must not overwrite the catalogue).
 */
export type TableRows = {
  readonly table: TableDefinition;
  readonly rows: readonly InsertRow[];
  readonly mode?: "if_absent";
  /** Set where the rows are complete for a range of blocks: other stored rows of these blocks are retracted. */
  readonly allOf?: BlockScope;
};

/** Rows for one or more tables, and the cursor to save once they are stored. */
export type Batch = {
  readonly rows: readonly TableRows[];
  readonly cursor: Cursor;
  /** The time up to which this stream is now complete (ISO), for coverage and the progress bar. */
  readonly reached?: string;
  /** The earliest time this stream now covers (ISO), when it walks backwards. */
  readonly since?: string;
  /** Notices for the operator: repeated pages, rows the upstream sent twice. */
  readonly notices?: readonly {
    readonly kind: "repeated_page" | "duplicate_rows" | "upstream_note";
    readonly text: string;
    readonly count: number;
  }[];
  /** Result of a check, for its status and metrics: fills in both sources, and fills in only one of them. */
  readonly compared?: { readonly agreed: number; readonly missing: number; readonly unlisted: number };
  /** A gap detected during the walk, in this stream or the named one; recorded and shown until it is filled. */
  readonly gap?: { readonly stream?: string; readonly from: string; readonly to: string; readonly reason: string };
  /** True at the end of a walk over blocks: stored rows of abandoned blocks up to here are retracted. */
  readonly isCanonical?: boolean;
  /** True when there is nothing more to fetch now; the schedule then waits for the next cycle. */
  readonly isCaughtUp?: boolean;
  /** True where nothing could be read on the way here: the cursor is saved, but the cycle is no success. */
  readonly isFailing?: boolean;
  /** True where the walk is caught up and keeps listening: its cycle does not end with this batch. */
  readonly listensOn?: boolean;
};

/** One upstream call: the request, its cost, and the documented limit it counts against. */
export type Call = {
  readonly path: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: unknown;
  /** The rate limit bucket to use, one of the host's `limits`. */
  readonly route: string;
  readonly cost?: number;
  /** Statuses that are valid responses, not failures (e.g. 404 for a closed book); the feed returns undefined. */
  readonly absentOn?: readonly number[];
  /**
   * The time range (Unix ms) lost if the response has a wrong shape and the walk can continue without it: the response
   * is quarantined with that gap and the call returns undefined. If absent, the call throws and the walk stops.
   */
  readonly ifChanged?: { readonly from: number; readonly to: number; readonly instruments?: readonly string[] };
  /** Set where the response is larger than the host's usual ones. */
  readonly maxBytes?: number;
  /** The amount the upstream bills for it; required on a host with a `dailyCap`. */
  readonly price?: Price;
};

/** In millionths of a dollar. `maxMicro` is reserved before the call; the part not billed is released after it. */
export type Price = {
  readonly maxMicro: number;
  /** The amount billed for this response; undefined where it does not say, and the full reservation is charged. */
  readonly billedMicro: (answer: unknown) => number | undefined;
};

/**
 * A connector's access to its venue. Rate limiting, retries of 429 and 5xx, timeouts and the quarantine of responses of
 * a wrong shape happen inside: a call resolves to a parsed reply or throws permanently.
 */
export type Feed = {
  readonly get: <T extends z.ZodType>(call: Call, reply: T) => Promise<z.output<T> | undefined>;
  readonly post: <T extends z.ZodType>(call: Call, reply: T) => Promise<z.output<T> | undefined>;
  /** A JSON-RPC call on a host whose protocol is JSON-RPC. */
  readonly rpc: <T extends z.ZodType>(method: string, params: readonly unknown[], reply: T) => Promise<z.output<T>>;
  /**
   * For a websocket host: connects and yields received events about twice a second, reading no faster than they are
   * consumed. A frame of a wrong shape is quarantined with a gap at its time. Throws when the socket ends.
   */
  readonly listen: <T extends z.ZodType>(
    call: Call,
    frame: T,
    options: ListenOptions,
  ) => AsyncGenerator<Listener<z.output<T>>, void, void>;
};

/** A documented limit: `tokens` per `perSeconds` seconds, and the bucket's capacity (`burst`). */
export type Limit = { readonly tokens: number; readonly perSeconds: number; readonly burst?: number };

/** An upstream host: the setting with its address, and its documented limits by route ("all" is shared by all). */
export type Host = {
  readonly name: string;
  readonly setting: string;
  readonly limits: Readonly<Record<string, Limit>>;
  /** Share of the documented limit we take, 0–1. */
  readonly share: number;
  /** A response or frame is read up to this many bytes; sized by the host's largest pages. */
  readonly maxBytes?: number;
  /** The setting that gives the tokens per second of `all`, where that depends on the account. */
  readonly granted?: string;
  /** Sent with every call (e.g. the language the texts are wanted in). */
  readonly headers?: Readonly<Record<string, string>>;
  /** The setting whose value is sent with every call as a bearer token. */
  readonly bearer?: string;
  /** The setting with the cap (USD) on the cost of a UTC day's calls. */
  readonly dailyCap?: string;
  /** Parses a response's text where it is not always plain JSON. A throw marks it invalid: the call is retried. */
  readonly parse?: (text: string) => unknown;
  /** A circuit breaker for a long outage or load shedding: calls pause after this many failures in a row. */
  readonly breaker?: Breaker;
};

/** One call is tried after `firstSeconds`; every failure doubles the wait, up to `maxSeconds`. */
export type Breaker = { readonly failures: number; readonly firstSeconds: number; readonly maxSeconds: number };

export type PullOptions = {
  readonly feed: Feed;
  /** Feeds of the additional hosts in the connector's `also`. */
  readonly also: Readonly<Record<string, Feed>>;
  /** The last saved cursor; undefined on the very first run. */
  readonly cursor: Cursor | undefined;
  /**
   * Present where the cursor was read from the records, at a start or after a failure: rows after it may be stored
   * already, up to `storedTo` (by `now`, ms), which is known only if this process stored them.
   */
  readonly resumed?: { readonly storedTo: number | undefined } | undefined;
  /** The range of a backfill (ISO); absent in a live run. */
  readonly range?: { readonly from: string; readonly to: string };
  /** Number of earlier walks over the range (see `walksAgain`); 0 or absent the first time. */
  readonly walk?: number;
  /** The current time in Unix ms, by the service's venue-independent clock. */
  readonly now: () => number;
  /** Queries the store for something this walk needs (e.g. the active tokens); some queries are about `among`. */
  readonly known: (question: Known, among?: readonly string[]) => Promise<readonly string[]>;
  /** For checking rows stored by another stream; absent in backfills. */
  readonly storedFills?: StoredFills | undefined;
  /** For re-reading a period already stored; absent in backfills. */
  readonly storedPosts?: StoredPosts | undefined;
  /** The amount the host may still bill (millionths of USD), spread over the UTC day; absent without a cap. */
  readonly spendable?: (() => Promise<number>) | undefined;
  readonly signal: AbortSignal;
};

type Stream = {
  readonly name: string;
  readonly title: string;
  readonly venue: Venue;
  /** For a socket connector a websocket host: its setting holds a ws:// or wss:// URL. */
  readonly host: Host;
  readonly tables: readonly TableDefinition[];
  /** Tables that other streams fill completely and this one adds to: their coverage does not depend on it. */
  readonly addsTo?: readonly TableDefinition[];
  /** The settings it requires (off without them), and what it adds when on. */
  readonly needs?: { readonly settings: readonly string[]; readonly adds: string };
  /**
   * The rows of a quarantined page or frame, stored like its others; empty for one that has no rows of its own. Absent
   * where a page has no meaning by itself.
   */
  readonly replay?: (page: ReplayedPage) => readonly TableRows[];
};

/** The stream that wakes this one, because it learns of rows before they can be read here. */
export type WokenBy = {
  readonly stream: string;
  /** The column whose values the other stream reports (a transaction). */
  readonly column: string;
  /** The minimum pause between two cycles. */
  readonly restSeconds: number;
  /** Number of cycles to keep trying for a reported value that does not appear. */
  readonly cycles: number;
};

/** A stream read by repeated calls (polling). */
export type PullConnector = Stream & {
  readonly kind: "pull";
  readonly also?: readonly Host[];
  /** How often the live walk repeats once it is caught up. */
  readonly everySeconds: number;
  readonly wokenBy?: WokenBy;
  /** Its tables hold and record a selection of its own: coverage of a response does not depend on it. */
  readonly isSelective?: true;
  /** What a selective stream holds of its venue, where no other stream brings more; included in every response. */
  readonly holdsOnly?: string;
  /** Its calls queue behind those of live streams, as a backfill's do. */
  readonly isPatient?: true;
  /** Whether the stream can walk a past range for `almanac backfill`. */
  readonly canBackfill: boolean;
  /** How long after its time a row may still appear upstream, if it does not at once: a backfill ends before. */
  readonly settleSeconds?: number;
  /**
   * Set where nothing else would detect a page that a backfill missed: the range is walked until a walk finds no row
   * that is not stored. Each walk should split its pages differently (`walk`).
   */
  readonly walksAgain?: true;
  /** A stream that makes this one redundant while it is on (chain logs instead of the Data API). */
  readonly replacedBy?: string;
  readonly pull: (options: PullOptions) => AsyncGenerator<Batch, void, void>;
};

/** A quarantined page to be read again. */
export type ReplayedPage = {
  /** The original request path with its query; for JSON-RPC the method and its parameters. */
  readonly path: string;
  /** Parses the page; rows still invalid are omitted and stay quarantined. Throws a zod error for an invalid page. */
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
  /** A query for the instruments to follow, or a fixed list (the topics of a feed of everything). */
  readonly instruments: Known | readonly string[];
  readonly maxInstrumentsPerSocket: number;
  readonly heartbeat?: { readonly send: string; readonly everySeconds: number };
  /** No frame for this long means a frozen socket: reconnect and resync. */
  readonly silentAfterSeconds: number;
  /** Whether a frame resets that silence timer; if absent every frame does, heartbeat replies included. */
  readonly isData?: (frame: string) => boolean;
  /**
   * How often every state is compared with the venue's over REST. For streams without sequence numbers, where a lost
   * message that nothing follows is not detectable in any other way.
   */
  readonly compareSeconds?: number;
  /** Other streams bring all its rows later, so what it misses is no gap. */
  readonly isEarly?: boolean;
  readonly session: () => Session;
  /** Full states over REST, for the first sync, after gaps and after reconnects; absent if instruments have none. */
  readonly resyncHost?: Host;
  readonly resync?: (feed: Feed, instruments: readonly string[]) => AsyncGenerator<Resynced, void, void>;
};

export type Connector = PullConnector | SocketConnector;

export const definePull = (connector: Omit<PullConnector, "kind">): PullConnector => ({ kind: "pull", ...connector });
export const defineSocket = (connector: Omit<SocketConnector, "kind">): SocketConnector => ({
  kind: "socket",
  ...connector,
});
