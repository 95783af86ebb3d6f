import { compile, type Format } from "html-to-text";

/** Longer than any text the site accepts. */
const MAX_HTML = 100_000;

/** A long link's text is truncated with dots; its href contains the full address. */
const link: Format = (element, walk, builder) => {
  const { href } = element.attribs;
  if (href) builder.addInline(href, { noWordTransform: true });
  else walk(element.children, builder);
};

const convert = compile({
  wordwrap: false,
  formatters: { link },
  selectors: [
    { selector: "a", format: "link" },
    { selector: "img", format: "skip" },
    { selector: "pre", options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
  ],
  limits: { maxDepth: 50, maxInputLength: MAX_HTML },
});

/** The text of Hacker News HTML, with paragraphs separated by an empty line. */
export function plainText(html: string): string {
  return convert(html.slice(0, MAX_HTML))
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
