import { PLACE, type Sql, type BoundValue } from "../definition/sql.ts";

export type StoreErrorKind =
  | "timeout"
  | "memory"
  | "overloaded"
  | "absent"
  | "locked"
  | "disk_full"
  | "cold_away"
  | "cancelled"
  | "failed";

const KINDS: Readonly<Record<number, StoreErrorKind>> = {
  76: "locked",
  159: "timeout",
  160: "timeout",
  202: "overloaded",
  203: "overloaded",
  241: "memory",
  243: "disk_full",
  252: "overloaded",
  307: "memory",
  394: "cancelled",
  396: "memory",
  499: "cold_away",
  999: "absent",
};

/** An engine failure by its number. `message` is for the log: it may contain SQL and must not reach a client. */
export class StoreError extends Error {
  readonly kind: StoreErrorKind;
  readonly number: number;

  constructor(kind: StoreErrorKind, number: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StoreError";
    this.kind = kind;
    this.number = number;
  }

  static fromNumber(number: number, message: string): StoreError {
    return new StoreError(KINDS[number] ?? "failed", number, message);
  }

  /** A request to an engine that was not answered, or not completely; `cause` is the reason. */
  static unanswered(engine: string, cause: unknown): StoreError {
    const why = cause instanceof Error && cause.message !== "" ? `: ${cause.message}` : "";
    return new StoreError("absent", 0, `${engine} does not answer${why}`, cause);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "\0": "\\0",
  "\b": "\\b",
  "\f": "\\f",
};

const escaped = (text: string): string => text.replace(/[\\\t\n\r\0\b\f]/g, (found) => ESCAPES[found] ?? found);

const quoted = (text: string): string => `'${text.replace(/\\/g, "\\\\").replace(/'/g, "\\'").replace(/\0/g, "\\0")}'`;

/** The text form in which the engine reads a bound parameter (escaped TSV; quoted strings inside arrays). */
function toParameterText(value: BoundValue): string {
  if (value === null) return "\\N";
  if (typeof value === "string") return escaped(value);
  if (typeof value === "object") {
    return `[${value.map((item) => (typeof item === "string" ? quoted(item) : String(item))).join(",")}]`;
  }
  return String(value);
}

export type Numbered = { readonly text: string; readonly parameters: readonly (readonly [string, string])[] };

/** Turns the placeholders of a statement into the engine's named parameters: `{p0:Type}`. */
export function toNumbered(statement: Sql): Numbered {
  const pieces = statement.text.split(PLACE);
  if (pieces.length !== statement.values.length + 1)
    throw new TypeError("a statement's placeholders and values do not match");
  let text = pieces[0] ?? "";
  const parameters = statement.values.map((value, index): readonly [string, string] => {
    text += `{p${index}:${value.type}}${pieces[index + 1] ?? ""}`;
    return [`param_p${index}`, toParameterText(value.value)];
  });
  return { text, parameters };
}
