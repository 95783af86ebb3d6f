import { invalidParameters } from "../kalshi-error.ts";

/** Typed access to a request's query string; a value of the wrong type throws a 400. */
export class Query {
  readonly #values: Record<string, string | string[] | undefined>;

  /** Names outside `simulated` are rejected. */
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

  /** Every value of a repeated parameter; commas do not separate values. */
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

  /** `limit`: 0 or absent means the default; above the maximum is rejected, not clamped. */
  limit(fallback: number, maximum: number): number {
    const value = this.integer("limit") ?? 0;
    if (value < 0 || value > maximum) throw invalidParameters(`limit must be between 0 and ${maximum}`);
    return value === 0 ? fallback : value;
  }
}
