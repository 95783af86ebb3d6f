/** A JSON Schema or a part of an OpenAPI document: plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;
