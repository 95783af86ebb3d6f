import { ERRORS, type ErrorCode, type ErrorDetail } from "../../../definition/errors.ts";
import { html, type Html } from "../../html.ts";
import { codeBlock, type DocsPage, pageBody, part, tableRow, ticked } from "../page-parts.ts";
import { errorPath } from "../../error-answers.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Content of an error's page besides its title and remedy. */
type ErrorText = {
  readonly means: string;
  /** An example: the request, and the service's message, which continues where it ends with "…". */
  readonly requested: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
  readonly related: readonly ErrorCode[];
};

const SECTION =
  /^(?<code>\w+)\n\n(?<means>.+)\n\nExample: (?<requested>.+)\n\n> (?<message>.+)\n\n(?:```json\n(?<details>[^]+?)```\n\n)?Related: (?<related>.+)\n$/u;

/** The sections of errors.md; test/docs/error-samples.test.ts reproduces each example. */
const ERROR_TEXTS: ReadonlyMap<string, ErrorText> = new Map(
  `\n${readFileSync(join(import.meta.dirname, "errors.md"), "utf8")}`.split("\n## ").slice(1).map(readSection),
);

function readSection(section: string): readonly [string, ErrorText] {
  const { code, means, requested, message, details, related } = SECTION.exec(`${section.trimEnd()}\n`)?.groups ?? {};
  if (!code || !means || !requested || !message || !related)
    throw new TypeError(`a section of errors.md lacks a part: ${section}`);
  const shown = details === undefined ? {} : { details: JSON.parse(details) as ErrorDetail[] };
  return [code, { means, requested, message, ...shown, related: related.split(", ") as ErrorCode[] }];
}

export function errorText(code: ErrorCode): ErrorText {
  const text = ERROR_TEXTS.get(code);
  if (text === undefined) throw new TypeError(`errors.md says nothing of ${code}`);
  return text;
}

/** /docs/errors/<code>: an error's meaning, an example, and what to do. */
export function errorPage(code: ErrorCode, publicUrl: string): DocsPage {
  const error = ERRORS[code];
  const { means, related } = errorText(code);
  return {
    path: errorPath(code),
    title: code,
    group: "Errors",
    lead: `${error.title}. HTTP ${error.status}${isConsoleOnly(code) ? ", in the console only" : ""}.`,
    body: () =>
      pageBody(html`<p>${ticked(means)}</p>`, [
        ...part("what-to-do", "What to do", html`<p>${error.fix}</p>`),
        ...part("trying-again", "Trying again", html`<p>${retryRule(code)}</p>`),
        ...part("example", "Example", sample(code, publicUrl)),
        ...part("related", "Related", relatedList(related)),
      ]),
    words: () => means,
  };
}

/** A row of an error table: status, code, and when it occurs. */
export const errorRow = (code: ErrorCode, when: string): Html =>
  tableRow(ERRORS[code].status, html`<a href="${errorPath(code)}"><code>${code}</code></a>`, when);

const isConsoleOnly = (code: ErrorCode): boolean => "isConsoleOnly" in ERRORS[code];

function retryRule(code: ErrorCode): string {
  const { status } = ERRORS[code];
  if (status === 429)
    return "Wait the seconds in Retry-After, then send the same request again. @almanac/client does so automatically, with at most three attempts in all.";
  if (status === 500 || status === 503) {
    return `Wait 1, then 2 seconds, longer if Retry-After says so, and make at most three attempts in all. @almanac/client does so automatically.${code === "QUERY_TIMEOUT" ? " Narrow the query first." : ""}`;
  }
  return "The same request fails again at once: change it first. Clients must not retry it.";
}

function sample(code: ErrorCode, publicUrl: string): Html {
  const { requested, message, details } = errorText(code);
  const body = {
    error: {
      code,
      message,
      request_id: "req_01JD3V7M2Q8Z4K6T9W5XHB1NRE",
      ...(details === undefined ? {} : { details }),
      docs: `${publicUrl}${errorPath(code)}`,
    },
  };
  return html`<p>${requested}</p>
    ${codeBlock(`HTTP ${ERRORS[code].status}`, JSON.stringify(body, null, 2), "json")}
    <p class="note">A test makes the service produce this answer; the request_id differs each time.</p>`;
}

const relatedList = (codes: readonly ErrorCode[]): Html =>
  html`<ul>
    ${codes.map(
      (code) =>
        html`<li>
          <a href="${errorPath(code)}"><code>${code}</code></a
          >: ${ERRORS[code].title}.
        </li>`,
    )}
    <li><a href="/docs/guides/errors">All errors and how to handle them</a></li>
  </ul>`;

/** Pages of every error, by status. */
export function errorPages(publicUrl: string): DocsPage[] {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  return codes.toSorted((a, b) => ERRORS[a].status - ERRORS[b].status).map((code) => errorPage(code, publicUrl));
}
