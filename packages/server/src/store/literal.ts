import type { BoundValue } from "../definition/sql.ts";

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
export function toParameterText(value: BoundValue): string {
  if (value === null) return "\\N";
  if (typeof value === "string") return escaped(value);
  if (typeof value === "object") {
    return `[${value.map((item) => (typeof item === "string" ? quoted(item) : String(item))).join(",")}]`;
  }
  return String(value);
}
