import { html, type Html } from "../../html.ts";
import type { JsonSchema } from "../../openapi/json-schema.ts";
import { dataTable } from "../data-table.ts";
import { ticked } from "../ticked.ts";
import { typeText, type LinkOf } from "./type-text.ts";

type Content = Readonly<Record<string, { readonly schema?: JsonSchema } & JsonSchema>>;

const schemaOf = (value: JsonSchema): JsonSchema => (value["schema"] ?? value) as JsonSchema;
const entries = (value: unknown): [string, JsonSchema][] => Object.entries((value ?? {}) as Record<string, JsonSchema>);

/** One operation: how it is called, what it takes, what it answers. */
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
  html`<tr>
    <td><code>${name}</code></td>
    <td>${typeText(schemaOf(header), linkOf)}</td>
    <td>${String(header["description"] ?? "")}</td>
  </tr> `;

const contentRows = (content: Content, linkOf: LinkOf): Html[] =>
  Object.entries(content).map(
    ([type, value]) =>
      html`<tr>
        <td><code>${type}</code></td>
        <td>${typeText(schemaOf(value), linkOf)}</td>
      </tr> `,
  );
