import { html, type Html } from "../html.ts";

/** A block of code. It can be scrolled by the keyboard; the script of the pages gives it a button that copies it. */
export const codeBlock = (label: string, code: string, language: string): Html =>
  html`<figure class="code">
    <figcaption>${label}</figcaption>
    <pre tabindex="0" role="region" aria-label="${label}"><code class="${language}">${code}</code></pre>
  </figure>`;
