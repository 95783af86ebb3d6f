import type { ColumnType, Generated, GeneratedAlways, Selectable } from "kysely";
import type { KeyMode } from "../definition/vocabulary.ts";

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
/** A timestamp: read as Date, written as Date or ISO text. */
type Timestamp = ColumnType<Date, Date | string, Date | string>;
type MaybeTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
/** Defaults to the time of the insert. */
type InsertedAt = ColumnType<Date, Date | string | undefined, Date | string>;
/** Read parsed; written as JSON text (`JSON.stringify`). */
type JsonColumn<T> = ColumnType<T, string, string>;
type MaybeJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>;
/** bigint columns of counts: JS numbers; reading one beyond 2^53 throws. */
type Count = Generated<number>;

export type CursorJson = { readonly [key: string]: string | number | boolean | null };

/** "all", or a list of agent ids and of plan names (= every dataset sold from that plan). */
export type PlanDatasets = "all" | readonly (number | string)[];

/** A member uses an account, an owner manages it, an operator manages the service. */
export type UserRole = "member" | "owner" | "operator";

/** A saved watermark: at time `at` (ISO) a walk had stored all rows up to `reached` (ISO). */
export type SavedPlaceJson = { readonly at: string; readonly reached: string };

/** Progress of a full run: days done, or the number of key ranges done. */
export type UnfinishedRunJson = {
  readonly began: string;
  readonly days?: readonly string[];
  readonly ranges?: { readonly closed: string; readonly done: number; readonly of: number };
};

/** Position in the page of a row that could not be read, and the stored columns that identify it. */
export type RefusedRowJson = {
  readonly position: string;
  readonly key: { readonly [column: string]: string } | null;
};

/** "everything": any table may have changed. `left`: first and last Unix seconds of removed rows. */
export type StoredChanges =
  | "everything"
  | readonly {
      readonly table: string;
      readonly left: readonly (readonly [number, number])[];
      readonly unknown: boolean;
    }[];

export type RecordsSchema = {
  plans: {
    name: string;
    datasets: JsonColumn<PlanDatasets>;
    requests_per_minute: number;
    burst: number;
    max_page: number;
    /** Concurrent requests of an account, and of one of its keys. */
    at_once: Generated<number>;
    key_at_once: Generated<number>;
    /** How many valid keys and enabled users an account may have. */
    keys: Generated<number>;
    users: Generated<number>;
    /** Wallets, tokens, markets or phrases that a parameter may list. */
    max_list: Generated<number>;
    rank: number;
  };
  accounts: {
    id: string;
    name: string;
    email: string;
    plan: string;
    created_at: InsertedAt;
    disabled_at: MaybeTimestamp;
  };
  users: {
    id: string;
    account_id: string;
    email: string;
    name: string;
    role: UserRole;
    /** Argon2id, as a PHC string. */
    password_hash: string;
    must_change_password: boolean;
    created_at: InsertedAt;
    disabled_at: MaybeTimestamp;
    last_sign_in_at: MaybeTimestamp;
  };
  /** `digest` is the SHA-256 of the secret in the cookie; `expires_at` is fixed, however much the session is used. */
  sessions: {
    digest: ColumnType<Uint8Array, Uint8Array, never>;
    user_id: string;
    created_at: Timestamp;
    last_seen_at: Timestamp;
    expires_at: Timestamp;
  };
  api_keys: {
    id: string;
    account_id: string;
    name: string;
    prefix: string;
    digest: ColumnType<Uint8Array, Uint8Array, never>;
    datasets: Maybe<readonly number[]>;
    mode: Generated<KeyMode>;
    /** The key's own limit within the account's; both null for none. */
    requests_per_minute: Maybe<number>;
    burst: Maybe<number>;
    expires_at: MaybeTimestamp;
    created_at: InsertedAt;
    last_used_at: MaybeTimestamp;
    revoked_at: MaybeTimestamp;
    replaced_by: Maybe<string>;
    /** The user who made it; null for keys made on the command line. */
    created_by: Maybe<string>;
  };
  usage: {
    /** YYYY-MM-DD, UTC. */
    day: string;
    key_id: string;
    agent_id: number;
    status: number;
    requests: number;
    rows: number;
    bytes: number;
    ms: number;
    /** Non-empty latency buckets (access/latency-buckets.ts), and the number of requests in each. */
    ms_buckets: Generated<readonly number[]>;
    ms_counts: Generated<readonly number[]>;
  };
  streams: {
    name: string;
    cursor: MaybeJson<CursorJson>;
    reached: MaybeTimestamp;
    since: MaybeTimestamp;
    /** Watermarks at its last saves while it lagged, the oldest first. */
    late_saves: MaybeJson<readonly SavedPlaceJson[]>;
    state: Generated<string>;
    last_ok_at: MaybeTimestamp;
    last_error: Maybe<string>;
    last_error_at: MaybeTimestamp;
    rows_stored: Count;
    updated_at: InsertedAt;
  };
  backfills: {
    id: GeneratedAlways<number>;
    stream: string;
    range_from: Timestamp;
    range_to: Timestamp;
    cursor: MaybeJson<CursorJson>;
    reached: MaybeTimestamp;
    /** Watermarks at its last saves, the oldest first. */
    saves: MaybeJson<readonly SavedPlaceJson[]>;
    rows_stored: Count;
    finished_at: MaybeTimestamp;
    updated_at: InsertedAt;
    /** True for a walk that only fills gaps: it proves nothing about the rest of its range. */
    for_gaps: Generated<boolean>;
  };
  /** Status of streams and budgets of running processes, for `almanac status` in another process. */
  live_status: { process: string; status: JsonColumn<Json>; written_at: InsertedAt };
  gaps: {
    id: GeneratedAlways<number>;
    stream: string;
    instrument: Maybe<string>;
    from_at: Timestamp;
    to_at: MaybeTimestamp;
    reason: string;
    opened_at: InsertedAt;
    filled_at: MaybeTimestamp;
    /** Failed attempts to fill it, and the time before which there is no other. */
    attempts: Generated<number>;
    retry_at: MaybeTimestamp;
    /** Streams that walked it and do not have the missing data. */
    tried: Generated<readonly string[]>;
    /** Why nothing can fill it; null while something may. */
    unfillable: Maybe<string>;
    /** How many gaps this one represents. */
    alike: Generated<number>;
    /** The parked page that left the gap: the gap is filled when the page is. */
    parked_id: Maybe<number>;
  };
  parked: {
    id: GeneratedAlways<number>;
    stream: string;
    host: string;
    route: string;
    path: string;
    problem: string;
    field: Maybe<string>;
    sample: Maybe<string>;
    body: string;
    parked_at: InsertedAt;
    /** Read again and stored, or superseded by a later walk that read it. */
    replayed_at: MaybeTimestamp;
    /** Identifies a page that recurs: digest of the body, or of the unreadable rows. */
    digest: Generated<string>;
    body_bytes: Count;
    times: Generated<number>;
    last_at: InsertedAt;
    /** The rows that could not be read; null if the entire page was refused. */
    refused: MaybeJson<readonly RefusedRowJson[]>;
    tried_at: MaybeTimestamp;
    /** The body was dropped to stay within bounds. */
    dropped_at: MaybeTimestamp;
  };
  notices: {
    id: GeneratedAlways<number>;
    stream: string;
    kind: string;
    text: string;
    count: Generated<number>;
    noticed_at: InsertedAt;
  };
  followed: { stream: string; instrument: string; since: Timestamp; left_at: MaybeTimestamp };
  retention: {
    name: string;
    /** What is kept, and how long; "before … are gone" follows. */
    title: string;
    table_name: string;
    gone_before: MaybeTimestamp;
    rows: Count;
    ran_at: MaybeTimestamp;
    last_error: Maybe<string>;
  };
  /** Most that a host may have billed in a UTC day (YYYY-MM-DD), in millionths of a dollar. */
  spending: { host: string; day: string; micro_usd: number };
  /** The leader's lease: see ingest/leader. `owner` is its host and process id, null after the lease was released. */
  leases: {
    name: string;
    owner: Maybe<string>;
    token: Count;
    since: MaybeTimestamp;
    expires_at: InsertedAt;
  };
  /** Changes stored by the leader: see ingest/stored. */
  stored_log: { seq: number; changes: JsonColumn<StoredChanges>; told_at: InsertedAt };
  stored_head: { name: string; token: number; seq: number; told_through: ColumnType<string, string, string> };
  /** Column stores whose rows these records describe: the engine's own ids. */
  row_stores: { id: string; bound_at: InsertedAt };
  derivations: {
    name: string;
    through: MaybeTimestamp;
    updated_at: InsertedAt;
    unfinished: MaybeJson<UnfinishedRunJson>;
  };
  audit: {
    id: GeneratedAlways<number>;
    actor: string;
    action: string;
    subject: string;
    detail: MaybeJson<Json>;
    at: InsertedAt;
    /** The account concerned, and the user who acted, if any. */
    account_id: Maybe<string>;
    user_id: Maybe<string>;
  };
};

export type PlanRow = Selectable<RecordsSchema["plans"]>;
export type AccountRow = Selectable<RecordsSchema["accounts"]>;
export type UserRow = Selectable<RecordsSchema["users"]>;
export type KeyRow = Selectable<RecordsSchema["api_keys"]>;
