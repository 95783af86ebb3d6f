import { html, type Html } from "../../html.ts";
import type { JsonSchema } from "../../openapi/dataset-schemas.ts";
import { dataTable, tableRow, ticked } from "../page-parts.ts";
import { typeText, type LinkOf } from "./type-text.ts";

type Field = { readonly path: string; readonly schema: JsonSchema; readonly isRequired: boolean };

const MAX_DEPTH = 4;

/** A named schema: its description and its fields, including those of nested objects. */
export function schemaView(name: string, schema: JsonSchema, linkOf: LinkOf): Html {
  const fields = [...fieldsOf(schema, "", MAX_DEPTH)];
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
    fields.map(({ path, schema, isRequired }) => {
      const badge = isRequired ? html` <span class="badge">required</span>` : "";
      return tableRow(html`<code>${path}</code>${badge}`, typeText(schema, linkOf), meaning(schema));
    }),
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

type Content = Readonly<Record<string, { readonly schema?: JsonSchema } & JsonSchema>>;

const schemaOf = (value: JsonSchema): JsonSchema => (value["schema"] ?? value) as JsonSchema;
const entries = (value: unknown): [string, JsonSchema][] => Object.entries((value ?? {}) as Record<string, JsonSchema>);

/** One operation: its call, parameters and answers. */
export function operationView(method: string, path: string, operation: JsonSchema, linkOf: LinkOf): Html {
  const body = (operation["requestBody"] ?? {}) as { content?: Content };
  return html`<h3 id="operation-${String(operation["operationId"])}"><code>${method.toUpperCase()} ${path}</code></h3>
    <p>${String(operation["summary"])}. ${ticked(String(operation["description"] ?? ""))}</p>
    <p>Authorization: <code>Bearer &lt;API key&gt;</code>.</p>
    <h4>Request body</h4>
    ${dataTable("Request bodies", ["media type", "schema"], contentRows(body.content ?? {}, linkOf))}
    ${entries(operation["responses"]).map(([status, response]) => responseView(status, response, linkOf))}`;
}

function responseView(status: string, response: JsonSchema, linkOf: LinkOf): Html {
  const headers = entries(response["headers"]);
  const content = (response["content"] ?? {}) as Content;
  return html`<h4 id="response-${status}">${status}</h4>
    <p>${ticked(String(response["description"]))}</p>
    ${
      headers.length === 0
        ? html``
        : dataTable(
            `Headers of ${status}`,
            ["header", "type", "meaning"],
            headers.map((header) => headerRow(header, linkOf)),
          )
    }
    ${Object.keys(content).length === 0 ? html`` : dataTable(`Bodies of ${status}`, ["media type", "schema"], contentRows(content, linkOf))}`;
}

const headerRow = ([name, header]: [string, JsonSchema], linkOf: LinkOf): Html =>
  tableRow(html`<code>${name}</code>`, typeText(schemaOf(header), linkOf), String(header["description"] ?? ""));

const contentRows = (content: Content, linkOf: LinkOf): Html[] =>
  Object.entries(content).map(([type, value]) =>
    tableRow(html`<code>${type}</code>`, typeText(schemaOf(value), linkOf)),
  );
