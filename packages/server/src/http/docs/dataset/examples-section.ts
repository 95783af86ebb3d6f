import { examplesOf, type ExampleValues } from "../../../definition/example-values.ts";
import type { DatasetDefinition, Example } from "../../../definition/dataset.ts";
import { costOfExample } from "../../../query/cost.ts";
import { unitsText } from "../../cost-text.ts";
import { html, type Html } from "../../html.ts";
import { codeBlock } from "../page-parts.ts";
import { snippet } from "../snippets/snippets.ts";

const ROWS = 10;

/** Each example for a shell, TypeScript and Python, with a link to try it. */
export function examplesSection(dataset: DatasetDefinition, publicUrl: string, values: ExampleValues): Html {
  // Based on the sample: an example's cost depends on its parameters, not on the ids in them.
  const costs = examplesOf(dataset).map((example) => costOfExample(dataset, example));
  return html`<p>
      They run unchanged once <code>ALMANAC_API_KEY</code> holds a key. Their ids are from this service, or from a demo
      if it has none yet.
    </p>
    ${examplesOf(dataset, values).map((example, at) => exampleBlock(dataset, example, costs[at] ?? 1, publicUrl))}`;
}

function exampleBlock(dataset: DatasetDefinition, example: Example, units: number, publicUrl: string): Html {
  const requested = {
    agentId: dataset.agentId,
    params: example.params,
    limit: Math.min(ROWS, dataset.limit.max),
  };
  return html`<h3>${example.title}</h3>
    <p class="note">Costs ${unitsText(units)}.</p>
    ${codeBlock(`curl: ${example.title}`, snippet("curl", requested, publicUrl), "shell")}
    <details>
      <summary>TypeScript</summary>
      ${codeBlock(`TypeScript: ${example.title}`, snippet("typescript", requested, publicUrl), "typescript")}
    </details>
    <details>
      <summary>Python</summary>
      ${codeBlock(`Python: ${example.title}`, snippet("python", requested, publicUrl), "python")}
    </details>
    <p><a class="go" href="${explorerLink(dataset, example.params)}">Open in the explorer</a></p>`;
}

/** Link to the dashboard's form of a dataset, filled in. */
export function explorerLink({ name }: DatasetDefinition, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(params).toString();
  return `/explore/${name}${query === "" ? "" : `?${query}`}`;
}
