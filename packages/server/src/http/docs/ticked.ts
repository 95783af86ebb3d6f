import { html, type Html } from "../html.ts";

/** Text in which `names` in backticks are code. */
export function ticked(text: string): Html {
  const parts = text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}
