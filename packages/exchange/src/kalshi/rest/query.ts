import { invalidParameters } from "../kalshi-error.ts";

/** Query string of a request, read by kind; a value that is not of its kind throws a 400. */
export class Query {
  readonly #values: Record<string, string | string[] | undefined>;

  /** A name that is not among the `simulated` ones is refused. */
  constructor(values: unknown, simulated: readonly string[]) {
    this.#values = (values ?? {}) as Record<string, string | string[] | undefined>;
    const strange = Object.keys(this.#values).find((name) => !simulated.includes(name));
    if (strange !== undefined) throw invalidParameters(`${strange} is not simulated`);
  }

  /** First value; undefined when absent or empty. */
  text(name: string): string | undefined {
    const value = this.repeated(name)[0];
    return value === "" ? undefined : value;
  }

  /** Every value of a repeated parameter; a comma does not separate. */
  repeated(name: string): string[] {
    const value = this.#values[name];
    if (value === undefined) return [];
    return Array.isArray(value) ? value : [value];
  }

  /** Comma-separated values. */
  list(name: string): string[] {
    return (this.text(name) ?? "").split(",").filter((item) => item !== "");
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^-?\d{1,15}$/.test(value)) throw invalidParameters(`${name} must be an integer`);
    return Number(value);
  }

  required(name: string): number {
    const value = this.integer(name);
    if (value === undefined) throw invalidParameters(`${name} is required`);
    return value;
  }

  choice<const T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = allowed.find((item) => item === value);
    if (found === undefined) throw invalidParameters(`${name} must be one of ${allowed.join(", ")}`);
    return found;
  }

  /** `limit`: 0 or absent is the default; above the maximum is refused, not clamped. */
  limit(fallback: number, maximum: number): number {
    const value = this.integer("limit") ?? 0;
    if (value < 0 || value > maximum) throw invalidParameters(`limit must be between 0 and ${maximum}`);
    return value === 0 ? fallback : value;
  }
}
