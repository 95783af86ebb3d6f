import type { DatasetDefinition } from "../../definition/dataset.ts";
import { ERRORS } from "../../definition/errors.ts";
import { html } from "../html.ts";
import { layout } from "./layout.ts";

/** /docs: every dataset and every error, with a request that works. */
export function indexPage(catalogue: readonly DatasetDefinition[], publicUrl: string): string {
  const byId = catalogue.toSorted((a, b) => a.agentId - b.agentId);
  const [first] = byId;
  return layout(
    "Reference",
    html`<p>One endpoint answers every dataset.</p>
      <pre>
curl ${publicUrl}/api/v2/semantic/retrieve/parameterized \\
  -H "Authorization: Bearer $ALMANAC_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ agent_id: first?.agentId ?? 574, params: first?.examples[0]?.params ?? {}, pagination: { limit: 10, offset: 0 } })}'</pre>
      <h2>Datasets</h2>
      <div class="table">
        <table>
          <tr>
            <th>agent_id</th>
            <th>name</th>
            <th>what it answers</th>
            <th>plan</th>
          </tr>
          ${byId.map(
            (dataset) =>
              html`<tr>
                <td>${dataset.agentId}</td>
                <td><a href="/docs/datasets/${dataset.name}">${dataset.name}</a></td>
                <td>${dataset.summary}</td>
                <td>${dataset.plan}</td>
              </tr> `,
          )}
        </table>
      </div>
      <h2>Errors</h2>
      <div class="table">
        <table>
          <tr>
            <th>status</th>
            <th>code</th>
            <th>when</th>
          </tr>
          ${Object.entries(ERRORS).map(
            ([code, error]) =>
              html`<tr>
                <td>${error.status}</td>
                <td><a href="/docs/errors/${code.toLowerCase().replaceAll("_", "-")}">${code}</a></td>
                <td>${error.title}</td>
              </tr> `,
          )}
        </table>
      </div>`,
  );
}
