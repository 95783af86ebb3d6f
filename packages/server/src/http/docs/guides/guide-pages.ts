import { readFileSync } from "node:fs";
import type { DocsPage, PageBody } from "../docs-page.ts";
import { GUIDES, type Guide } from "./guide-list.ts";
import { renderMarkdown } from "./render-markdown.ts";

const TEXTS = new URL("../../../../../../docs/", import.meta.url);
/** In a text: where this service is. */
const PLACE = "https://almanac.example";
const WORDS = /[\p{L}\p{N}_-]{3,}/gu;

/** /docs/guides/<name>: the texts under docs/ that are for callers. */
export const guidePages = (publicUrl: string): DocsPage[] =>
  GUIDES.map((guide) => ({
    path: `/docs/guides/${guide.name}`,
    title: guide.title,
    group: guide.group,
    lead: guide.lead,
    body: () => guideBody(guide, publicUrl),
  }));

function guideBody({ file }: Guide, publicUrl: string): PageBody {
  const markdown = readFileSync(new URL(file, TEXTS), "utf8").replaceAll(PLACE, publicUrl);
  const words = [...new Set(markdown.toLowerCase().match(WORDS))].join(" ");
  return { ...renderMarkdown(markdown, file), words };
}
