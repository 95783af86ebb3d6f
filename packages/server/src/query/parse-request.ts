import type { FormatType } from "./answer.ts";
import { asDocumented, isObject, PAGE, TOP } from "./as-documented.ts";
import { asSent, refusal, shown } from "./refuse.ts";
import type { CallerError, ErrorCode } from "../definition/errors.ts";
import type { KeyMode } from "../definition/vocabulary.ts";

export type PageRequest = {
  readonly limit: number | undefined;
  readonly offset: number;
  readonly cursor: string | undefined;
};
export type QueryRequest = {
  readonly agentId: number;
  readonly params: Readonly<Record<string, unknown>>;
  readonly page: PageRequest;
  readonly format: FormatType;
  /** CSV only: prefix an apostrophe to texts that a spreadsheet would run. */
  readonly isCsvSafe: boolean;
  readonly warnings: readonly string[];
};

type Body = Readonly<Record<string, unknown>>;

export const FORMATS: readonly FormatType[] = ["raw", "typed", "csv", "ndjson", "parquet", "arrow"];
const CONFIG: readonly string[] = ["format_type", "csv_safe"];
const MAX_CURSOR = 4_096;

/** Reads all of a request except the dataset's own parameters. `accept` is the format requested by header. */
export function parseRequest(body: Body, accept: FormatType | undefined, mode: KeyMode = "strict"): QueryRequest {
  const warnings: string[] = [];
  const sent = mode === "strict" ? body : asDocumented(body, warnings);
  const unknown = Object.keys(sent).filter((key) => !TOP.includes(key));
  if (unknown.length > 0) {
    throw refusal(
      "INVALID_REQUEST",
      unknown
        .slice(0, 20)
        .map((key) => ({ path: shown(key), problem: "is not a field of the request", expected: TOP.join(", ") })),
    );
  }
  const config = parseObject(sent, "formatter_config", "INVALID_FORMAT");
  return {
    agentId: parseAgentId(sent),
    params: parseObject(sent, "params", "INVALID_PARAMS"),
    page: parsePage(parseObject(sent, "pagination", "INVALID_PAGINATION")),
    format: parseFormat(config, accept, warnings),
    isCsvSafe: parseCsvSafe(config),
    warnings,
  };
}

function parseAgentId(body: Body): number {
  const value = body["agent_id"];
  if (value === undefined)
    throw refusal("MISSING_AGENT_ID", [{ path: "agent_id", problem: "is missing", expected: "an integer, e.g. 574" }]);
  if (typeof value !== "number" || !Number.isSafeInteger(value)) {
    throw refusal("INVALID_AGENT_ID", [
      { path: "agent_id", problem: "is not an integer", expected: "a JSON integer, e.g. 574", got: asSent(value) },
    ]);
  }
  return value;
}

function parseObject(body: Body, key: string, code: ErrorCode): Body {
  const value = body[key];
  if (value === undefined || value === null) return {};
  if (!isObject(value))
    throw refusal(code, [{ path: key, problem: "is not an object", expected: "a JSON object", got: asSent(value) }]);
  return value;
}

function bad(path: string, problem: string, expected: string, got: unknown): CallerError {
  return refusal("INVALID_PAGINATION", [{ path: `pagination.${path}`, problem, expected, got: asSent(got) }]);
}

function parsePage(page: Body): PageRequest {
  for (const key of Object.keys(page)) {
    if (!PAGE.includes(key)) throw bad(shown(key), "is not known", PAGE.join(", "), page[key]);
  }
  const { limit, offset, cursor } = page;
  if (limit !== undefined && !(typeof limit === "number" && Number.isSafeInteger(limit) && limit >= 1)) {
    throw bad("limit", "is not a positive integer", "an integer of at least 1", limit);
  }
  if (offset !== undefined && !(typeof offset === "number" && Number.isSafeInteger(offset) && offset >= 0)) {
    throw bad("offset", "is not a non-negative integer", "an integer of at least 0", offset);
  }
  if (cursor !== undefined && cursor !== null && !(typeof cursor === "string" && cursor.length <= MAX_CURSOR)) {
    throw bad("cursor", "is not a cursor", "the next_cursor of an earlier page", cursor);
  }
  const hasCursor = typeof cursor === "string" && cursor !== "";
  if (hasCursor && offset !== undefined && offset !== 0)
    throw bad("offset", "cannot go with a cursor", "a cursor or an offset", offset);
  return {
    limit: typeof limit === "number" ? limit : undefined,
    offset: typeof offset === "number" ? offset : 0,
    cursor: hasCursor ? cursor : undefined,
  };
}

function parseFormat(config: Body, accept: FormatType | undefined, warnings: string[]): FormatType {
  const unknown = Object.keys(config).filter((key) => !CONFIG.includes(key));
  if (unknown.length > 0)
    warnings.push(
      `formatter_config: ${shown(unknown.join(", "))} is unknown and was ignored; known are ${CONFIG.join(", ")}`,
    );
  const requested = config["format_type"];
  if (requested === undefined) return accept ?? "raw";
  const found = FORMATS.find((format) => format === requested);
  if (found === undefined) {
    throw refusal("INVALID_FORMAT", [
      {
        path: "formatter_config.format_type",
        problem: "is not a format",
        expected: FORMATS.join(", "),
        got: asSent(requested),
      },
    ]);
  }
  return found;
}

function parseCsvSafe({ csv_safe: requested = false }: Body): boolean {
  if (typeof requested === "boolean") return requested;
  throw refusal("INVALID_FORMAT", [
    {
      path: "formatter_config.csv_safe",
      problem: "is not a boolean",
      expected: "true or false",
      got: asSent(requested),
    },
  ]);
}
