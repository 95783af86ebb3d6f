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

/** An engine failure by its number. `message` is for the log; it may hold SQL and must not reach a caller. */
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
}
