import { readFileSync } from "node:fs";
import { type DocsPage, codeBlock, type Section } from "../page-parts.ts";
import { posix } from "node:path";
import { Marked, type Tokens } from "marked";
import { html, type Html } from "../../html.ts";

/** Placeholder in texts for this service's address. */
const PLACE = "https://almanac.example";
const WORDS = /[\p{L}\p{N}_-]{3,}/gu;

/** /docs/guides/<name>: the texts under docs/ for callers and operators. */
export const guidePages = (publicUrl: string): DocsPage[] =>
  GUIDES.map((guide) => ({
    path: `/docs/guides/${guide.name}`,
    title: guide.title,
    group: guide.group,
    lead: guide.lead,
    body: () => renderMarkdown(guideText(guide.file).replaceAll(PLACE, publicUrl), guide.file),
    words: () => [...new Set(guideText(guide.file).toLowerCase().match(WORDS))].join(" "),
  }));

/** A guide: its name under /docs/guides, and its text under the repository's docs/. */
export type Guide = {
  readonly name: string;
  readonly file: string;
  readonly title: string;
  /** The last two are for operators. */
  readonly group: "Guides" | "Method" | "Running it" | "Runbook";
  readonly lead: string;
};

const TEXTS = new URL("../../../../../../docs/", import.meta.url);
const LINE = /^- \[(.+)\]\((\S+\.md)\): (.+)$/gm;

const guideText = (file: string): string => readFileSync(new URL(file, TEXTS), "utf8");

/** In reading order: the entries of docs/README.md by group, then the page of each alert. */
const GUIDES: readonly Guide[] = [
  ...guideText("README.md").split("\n## ").slice(1).flatMap(groupOf),
  ...listed(guideText("runbook/README.md"), "Runbook", "runbook/"),
];

function groupOf(section: string): readonly Guide[] {
  const [group = ""] = section.split("\n");
  return listed(section, group as Guide["group"], "");
}

function listed(text: string, group: Guide["group"], folder: string): readonly Guide[] {
  return [...text.matchAll(LINE)].map(([, title = "", path = "", lead = ""]) => ({
    name: `${folder}${path.replace(/^guides\//, "").replace(/(?:\/README)?\.md$/, "")}`,
    file: `${folder}${path}`,
    title,
    group,
    lead: lead.replaceAll("`", ""),
  }));
}

export type Rendered = { readonly html: Html; readonly sections: readonly Section[] };

/**
 * Renders a guide's Markdown as HTML. The text is our own: HTML in it is escaped, and images are omitted. The page
 * prints its first heading itself. `file` is its path under docs/, for its links.
 */
export function renderMarkdown(markdown: string, file: string): Rendered {
  const sections: Section[] = [];
  const ids = new Map<string, number>();
  const idOf = (title: string): string => {
    const plain =
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
        .replaceAll(/^-|-$/g, "") || "section";
    const before = ids.get(plain) ?? 0;
    ids.set(plain, before + 1);
    return before === 0 ? plain : `${plain}-${before + 1}`;
  };
  let tables = 0;
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        if (depth === 1) return "";
        const title = text.replaceAll("`", "");
        const id = idOf(title);
        if (depth === 2) sections.push({ id, title });
        const level = Math.min(depth, 4);
        const inner = this.parser.parseInline(tokens);
        return `<h${level} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="${html`Link to ${title}`.html}">#</a></h${level}>`;
      },
      code: ({ text, lang = "" }: Tokens.Code) => codeBlock(LABELS[lang] ?? "Text", text, lang).html,
      table(token: Tokens.Table) {
        tables += 1;
        const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag.split(" ")[0]}>`).join("")}</tr>`;
        const rows = token.rows.map((row) => cells(row, "td")).join("");
        return `<div class="table" tabindex="0" role="region" aria-label="Table ${tables}"><table><thead>${cells(token.header, 'th scope="col"')}</thead><tbody>${rows}</tbody></table></div>`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => html`${text}`.html,
      image: ({ text }: Tokens.Image) => html`${text}`.html,
      link({ href, tokens }: Tokens.Link) {
        const to = linkTarget(href, file);
        const inner = this.parser.parseInline(tokens);
        return to === undefined ? inner : `<a href="${html`${to}`.html}">${inner}</a>`;
      },
    },
  });
  return { html: { html: marked.parse(markdown, { async: false }) }, sections };
}

const LABELS: Readonly<Record<string, string>> = {
  json: "JSON",
  sh: "Shell",
  ts: "TypeScript",
  python: "Python",
  http: "HTTP",
};

/** The address here for a link of a text under docs/; undefined for a file that is not served. */
function linkTarget(href: string, file: string): string | undefined {
  if (/^(https?:\/\/|#|\/)/.test(href)) return href;
  const [path = "", anchor] = href.split("#", 2);
  const target = posix.normalize(posix.join(posix.dirname(file), path));
  const guide = GUIDES.find((one) => one.file === target);
  return guide === undefined ? undefined : `/docs/guides/${guide.name}${anchor === undefined ? "" : `#${anchor}`}`;
}
