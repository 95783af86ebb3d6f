import { html, type Html } from "../../html.ts";
import type { JsonSchema } from "../../openapi/json-schema.ts";
import { dataTable } from "../data-table.ts";
import { ticked } from "../ticked.ts";
import { typeText, type LinkOf } from "./type-text.ts";

type Field = { readonly path: string; readonly schema: JsonSchema; readonly isRequired: boolean };

const MOST_DEEP = 4;

/** A named schema: its description, and each field of it, those of objects within it too. */
export function schemaView(name: string, schema: JsonSchema, linkOf: LinkOf): Html {
  const fields = [...fieldsOf(schema, "", MOST_DEEP)];
  const about = schema["description"];
  return html`<h3 id="schema-${name}">
      ${name} <a class="anchor" href="#schema-${name}" aria-label="Link to ${name}">#</a>
    </h3>
    ${typeof about === "string" ? html`<p>${ticked(about)}</p>` : html``}
    ${fields.length === 0 ? html`<p>${typeText(schema, linkOf)}</p>` : fieldTable(name, fields, linkOf)}
    ${schema["additionalProperties"] === false ? html`<p class="note">Nothing else is allowed.</p>` : html``}`;
}

const fieldTable = (name: string, fields: readonly Field[], linkOf: LinkOf): Html =>
  dataTable(
    `Fields of ${name}`,
    ["field", "type", "meaning"],
    fields.map(
      ({ path, schema, isRequired }) =>
        html`<tr>
          <td><code>${path}</code>${isRequired ? html` <span class="badge">required</span>` : html``}</td>
          <td>${typeText(schema, linkOf)}</td>
          <td>${meaning(schema)}</td>
        </tr> `,
    ),
  );

function meaning(schema: JsonSchema): Html {
  const parts = [
    typeof schema["description"] === "string" ? html`${ticked(schema["description"])} ` : html``,
    "default" in schema ? html`Default <code>${String(schema["default"])}</code>. ` : html``,
    typeof schema["x-unit"] === "string" ? html`Unit: ${schema["x-unit"]}. ` : html``,
    Array.isArray(schema["x-aliases"]) ? html`Also known as ${schema["x-aliases"].join(", ")}. ` : html``,
  ];
  return html`${parts}`;
}

function* fieldsOf(schema: JsonSchema, before: string, deep: number): Generator<Field> {
  for (const part of (schema["allOf"] ?? []) as JsonSchema[]) yield* fieldsOf(part, before, deep);
  const required = (schema["required"] ?? []) as readonly string[];
  for (const [name, value] of Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>)) {
    const path = `${before}${name}`;
    const inner = value["type"] === "array" ? ((value["items"] ?? {}) as JsonSchema) : value;
    yield { path, schema: value, isRequired: required.includes(name) };
    if (deep > 0) yield* fieldsOf(inner, `${path}${inner === value ? "." : "[]."}`, deep - 1);
  }
}
