import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../src/http/docs/guides/guides.ts";

const rendered = (markdown: string): string => renderMarkdown(markdown, "guides/errors.md").html.html;

describe("a guide's Markdown", () => {
  it("escapes HTML instead of rendering it", () => {
    const html = rendered('a <b onclick="x()">b</b>\n\n<script>alert(1)</script>\n\n![p](x.png)');
    expect(html).not.toMatch(/<b |<script|<img/);
    expect(html).toContain("&lt;script&gt;");
  });

  it("rewrites links to guides to their pages, and drops links to files that are not served", () => {
    expect(rendered("[s](../score.md#the-score)")).toContain('<a href="/docs/guides/score#the-score">s</a>');
    expect(rendered("[c](coverage.md)")).toContain('<a href="/docs/guides/coverage">c</a>');
    expect(rendered("[r](../../README.md) [j](javascript:alert)")).not.toContain("<a ");
  });

  it("gives headings unique ids, and leaves the title to the page", () => {
    const { html, sections } = renderMarkdown("# T\n\n## A `b` c\n\n## A b c\n", "score.md");
    expect(html.html).not.toContain("<h1");
    expect(sections).toEqual([
      { id: "a-b-c", title: "A b c" },
      { id: "a-b-c-2", title: "A b c" },
    ]);
  });

  it("escapes code and makes wide tables scrollable by keyboard", () => {
    expect(rendered("```ts\na < b && c\n```")).toContain("a &lt; b &amp;&amp; c");
    expect(rendered("| a |\n|---|\n| `x<y` |")).toMatch(/<div class="table" tabindex="0"[\s\S]*x&lt;y/);
  });
});
