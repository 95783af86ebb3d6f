import type { ErrorCode, ErrorDetail } from "../../../definition/errors.ts";

type Sample = {
  /** What was asked. */
  readonly asked: string;
  /** What the service says then; one that ends with "…" goes on. */
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
};

const FIELDS = "agent_id, params, pagination, formatter_config";
const TRADES = "proxy_wallet, condition_id, token_id, market_slug, side, start_time, end_time, min_size, min_usd, role";

/** One of each error, as the service answers it: test/docs/error-samples.test.ts brings each about. */
export const ERROR_SAMPLES: Readonly<Record<ErrorCode, Sample>> = {
  MALFORMED_JSON: {
    asked: 'A body that was cut off: {"agent_id": 574,',
    message: "The body is not valid JSON (at position 17).",
  },
  MISSING_AGENT_ID: {
    asked: 'A body without it: {"params": {}}',
    message: "agent_id: is missing: expected an integer, e.g. 574.",
    details: [{ path: "agent_id", problem: "is missing", expected: "an integer, e.g. 574" }],
  },
  INVALID_AGENT_ID: {
    asked: 'A string: {"agent_id": "574"}',
    message: "agent_id: is not an integer: expected a JSON integer, e.g. 574, got 574.",
    details: [{ path: "agent_id", problem: "is not an integer", expected: "a JSON integer, e.g. 574", got: "574" }],
  },
  INVALID_REQUEST: {
    asked: 'Filters in a field of another name: {"agent_id": 574, "filters": {}}',
    message: `filters: is not a field of the request: expected ${FIELDS}.`,
    details: [{ path: "filters", problem: "is not a field of the request", expected: FIELDS }],
  },
  INVALID_PARAMS: {
    asked: 'A misspelt filter: {"agent_id": 556, "params": {"sid": "BUY"}}',
    message: `params.sid: is not a parameter of polymarket-trades; did you mean side?: expected one of ${TRADES}.`,
    details: [
      {
        path: "params.sid",
        problem: "is not a parameter of polymarket-trades; did you mean side?",
        expected: `one of ${TRADES}`,
      },
    ],
  },
  INVALID_PAGINATION: {
    asked: 'Too large a page: {"agent_id": 574, "pagination": {"limit": 5000}}',
    message: "pagination.limit: is over this key's maximum for polymarket-markets: expected 1 to 1000, got 5000.",
    details: [
      {
        path: "pagination.limit",
        problem: "is over this key's maximum for polymarket-markets",
        expected: "1 to 1000",
        got: "5000",
      },
    ],
  },
  INVALID_FORMAT: {
    asked: 'A format that is not offered: {"agent_id": 574, "formatter_config": {"format_type": "xml"}}',
    message:
      "formatter_config.format_type: is not a format: expected raw, typed, csv, ndjson, parquet, arrow, got xml.",
    details: [
      {
        path: "formatter_config.format_type",
        problem: "is not a format",
        expected: "raw, typed, csv, ndjson, parquet, arrow",
        got: "xml",
      },
    ],
  },
  UNAUTHENTICATED: {
    asked: "A question with a mistyped key.",
    message: "The request carries no valid API key; send Authorization: Bearer <API key>.",
  },
  FORBIDDEN: {
    asked: "Dataset 584 with a key that is for 574 alone.",
    message: "This key may not read agent_id 584 (wallet-score-leaderboard).",
  },
  PASSWORD_CHANGE_REQUIRED: {
    asked: "The console's list of keys, right after signing in with a first password.",
    message: "The password was made by somebody else; choose one of your own first.",
  },
  UNKNOWN_AGENT: {
    asked: '{"agent_id": 999}. The message lists every dataset there is.',
    message: "No dataset has agent_id 999. Known: 1005 (calibration), 1101 (kalshi-candles), …",
  },
  NOT_FOUND: {
    asked: "POST /api/v2/semantic/retrieve, without its last part.",
    message: "There is nothing at this path.",
  },
  METHOD_NOT_ALLOWED: { asked: "GET on the endpoint.", message: "This path takes OPTIONS, POST only." },
  NOT_ACCEPTABLE: {
    asked: "A question with Accept: application/xml.",
    message:
      "Accept names no format that is offered; it may be one of application/json, text/csv, application/x-ndjson, application/vnd.apache.parquet, application/vnd.apache.arrow.stream.",
  },
  CONFLICT: {
    asked: "A second user with the same address, in the console.",
    message: "A user with the address anna@example.org exists already.",
  },
  BODY_TOO_LARGE: { asked: "A body of 70,000 bytes.", message: "The body is larger than 65536 bytes." },
  UNSUPPORTED_MEDIA_TYPE: {
    asked: "A question with Content-Type: text/plain.",
    message: "Content-Type is not application/json in UTF-8.",
  },
  RATE_LIMITED: {
    asked: "The second request of a key that may ask once a minute.",
    message: "The key's 1 requests a minute are used up; wait 60 seconds.",
  },
  INTERNAL: {
    asked: "Any question, while something in the service fails.",
    message: "Something failed on our side; the operator can find it by the request_id.",
  },
  UNAVAILABLE: {
    asked: "Any question, while as many are being answered as may be.",
    message: "Too many questions are being answered now; try again shortly.",
  },
  QUERY_TIMEOUT: {
    asked: "A question that takes longer than one may.",
    message: "The query went over its time budget; ask for a narrower range.",
  },
};
