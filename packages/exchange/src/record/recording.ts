export type RecordedService = "gamma" | "clob" | "data" | "rpc" | "kalshi";

/** A request as the recordings see it: the body is parsed JSON, or undefined. */
export interface RecordedRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  body: unknown;
}

export interface RecordedReply {
  status?: number;
  /** Sent as JSON. */
  body: unknown;
}

/** One recording put back on the wire. */
export interface Recording {
  name: string;
  service: RecordedService;
  /** Undefined where the recording has nothing for the request: the world answers then. */
  answer(request: RecordedRequest): RecordedReply | undefined | Promise<RecordedReply | undefined>;
}
