import { html, type Html } from "../../html.ts";
import type { JsonSchema } from "../../openapi/dataset-schemas.ts";

/** Returns the address at which a schema of the document is explained. */
export type LinkOf = (schemaName: string) => string;

const listOf = (parts: readonly Html[], between: string): Html =>
  html`${parts.map((part, index) => html`${index > 0 ? between : ""}${part}`)}`;
const code = (value: unknown): Html => html`<code>${typeof value === "string" ? value : JSON.stringify(value)}</code>`;
const schemas = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? (value as JsonSchema[]) : []);

/** Describes the type of a schema's value in one line. */
export function typeText(schema: JsonSchema, linkOf: LinkOf): Html {
  const { $ref: ref, type, items } = schema;
  if (typeof ref === "string") {
    const name = ref.slice(ref.lastIndexOf("/") + 1);
    return html`<a href="${linkOf(name)}">${name}</a>`;
  }
  for (const [word, between] of COMBINED) {
    const parts = schemas(schema[word]);
    if (parts.length > 0)
      return listOf(
        parts.map((part) => typeText(part, linkOf)),
        between,
      );
  }
  if ("const" in schema) return html`exactly ${code(schema["const"])}`;
  if (Array.isArray(schema["enum"])) return listOf(schema["enum"].map(shownChoice), " | ");
  if (type === "array") return html`array of ${typeText((items ?? {}) as JsonSchema, linkOf)}`;
  const word = Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "any value";
  return html`${word}${constraints(schema)}`;
}

const COMBINED = [
  ["anyOf", " or "],
  ["oneOf", " or "],
  ["allOf", " and "],
] as const;

const shownChoice = (value: unknown): Html => (value === "" ? html`empty` : code(value));

function constraints(schema: JsonSchema): Html {
  const parts = [
    typeof schema["format"] === "string" ? html`${schema["format"]}` : undefined,
    typeof schema["pattern"] === "string" ? html`matching ${code(schema["pattern"])}` : undefined,
    "minimum" in schema ? html`from ${String(schema["minimum"])}` : undefined,
    "maximum" in schema ? html`to ${String(schema["maximum"])}` : undefined,
    "maxLength" in schema ? html`up to ${String(schema["maxLength"])} characters` : undefined,
    "contentMediaType" in schema ? html`holding ${String(schema["contentMediaType"])}` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? html`` : html`, ${listOf(parts, ", ")}`;
}
