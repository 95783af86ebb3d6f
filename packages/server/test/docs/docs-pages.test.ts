import { readFileSync, readdirSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import { ERRORS } from "../../src/definition/errors.ts";
import { errorPath } from "../../src/http/error-answers.ts";
import { madeDocs, pagesOf, unescaped } from "./made-docs.ts";

const RUNBOOK = new URL("../../../../docs/runbook/", import.meta.url);

let docs: ReadonlyMap<string, string>;
beforeAll(async () => {
  docs = await madeDocs();
});

const linksOf = (page: string): string[] =>
  [...page.matchAll(/ href="([^"]*)"/g)].map(([, href]) => unescaped(href ?? ""));
const idsOf = (page: string): string[] => [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id ?? "");

const colour = (styles: string, name: string): string | undefined =>
  new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(styles)?.[1];

describe("the pages under /docs", () => {
  it("exist for every dataset, every error and every schema", () => {
    for (const { name } of datasets) {
      expect(docs.has(`/docs/datasets/${name}`), name).toBe(true);
      expect(docs.has(`/docs/reference/${name}`), name).toBe(true);
    }
    for (const code of Object.keys(ERRORS)) expect(docs.has(errorPath(code)), code).toBe(true);
  });

  it("exist for operators, including one for each alert", () => {
    for (const name of ["deploy", "backup", "roles", "cluster", "growth", "metrics", "runbook"])
      expect(docs.has(`/docs/guides/${name}`), name).toBe(true);
    const alerts = readdirSync(RUNBOOK).filter((file) => file !== "README.md");
    expect(alerts.length).toBeGreaterThan(25);
    for (const file of alerts) {
      const path = `/docs/guides/runbook/${file.replace(".md", "")}`;
      expect(docs.has(path), path).toBe(true);
      expect(linksOf(docs.get("/docs/guides/runbook") ?? "")).toContain(path);
    }
  });

  it("have no inline script or style, one heading and no duplicate id", () => {
    for (const [path, page] of pagesOf(docs)) {
      expect(page.match(/<script[^>]*>/g), path).toEqual(['<script src="/docs/docs.js">']);
      expect(page, path).not.toMatch(/<style| style="|<iframe| on[a-z]+="/);
      expect(page.match(/<h1>/g)?.length, path).toBe(1);
      const ids = idsOf(page);
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    }
  });

  it("have no dead link: each leads to an existing page and anchor", () => {
    const ids = new Map(pagesOf(docs).map(([path, page]) => [path, new Set(idsOf(page))]));
    const elsewhere = new Set(["/", "/openapi.json"]);
    const explored = new Set(datasets.map(({ name }) => `/explore/${name}`));
    for (const [path, page] of pagesOf(docs)) {
      for (const href of linksOf(page)) {
        if (href.startsWith("https://")) continue;
        const { pathname, hash } = new URL(href, `https://almanac.example${path}`);
        const isKnown = docs.has(pathname) || elsewhere.has(pathname) || explored.has(pathname);
        expect(isKnown, `${path} links to ${href}`).toBe(true);
        if (hash !== "")
          expect(ids.get(pathname)?.has(decodeURIComponent(hash.slice(1))), `${path}: ${href}`).toBe(true);
      }
    }
  });

  it("link to the explorer only with parameters that the dataset has", () => {
    const links = pagesOf(docs)
      .flatMap(([, page]) => linksOf(page))
      .filter((href) => href.startsWith("/explore/") && href.includes("?"));
    expect(links.length).toBeGreaterThan(datasets.length / 2);
    for (const href of links) {
      const { pathname, searchParams } = new URL(href, "https://almanac.example");
      const dataset = datasets.find(({ name }) => pathname === `/explore/${name}`);
      for (const name of searchParams.keys()) expect(Object.keys(dataset?.params ?? {}), href).toContain(name);
    }
  });

  it("document every parameter and field of their dataset, and every formula", () => {
    for (const { name, params, row, formula = [] } of datasets) {
      const page = docs.get(`/docs/datasets/${name}`) ?? "";
      for (const param of Object.keys(params)) expect(page).toContain(`id="param-${param}"`);
      for (const field of Object.keys(row)) expect(page).toContain(`id="field-${field}"`);
      for (const { title } of formula) expect(unescaped(page)).toContain(`<h3>${title}</h3>`);
    }
  });

  it("are all in the search index", () => {
    const found = JSON.parse(docs.get("/docs/search.json") ?? "") as { path: string; words: string }[];
    expect(found.map(({ path }) => path).sort()).toEqual(
      pagesOf(docs)
        .map(([path]) => path)
        .sort(),
    );
    expect(found.find(({ path }) => path.endsWith("/wallet-360"))?.words).toContain("sortino_ratio");
    expect(docs.get("/docs/search.json")?.length).toBeLessThan(150_000);
  });
});

describe("the style of the pages", () => {
  it("uses the colours of the dashboard", () => {
    const styles = readFileSync(new URL("../../../dashboard/src/app/styles.css", import.meta.url), "utf8");
    const [light = "", dark = ""] = styles.split(':root[data-theme="dark"]');
    const own = [...(docs.get("/docs/docs.css") ?? "").matchAll(/--([a-z-]+): light-dark\((#\w+), (#\w+)\);/g)];
    expect(own.length).toBeGreaterThan(10);
    for (const [, name = "", onLight, onDark] of own) {
      expect([name, onLight, onDark]).toEqual([name, colour(light, name), colour(dark, name)]);
    }
  });
});

describe("the README", () => {
  it("lists every dataset of the catalogue and no other", () => {
    const readme = readFileSync(new URL("../../../../README.md", import.meta.url), "utf8");
    const listed = [...readme.matchAll(/^\| (\d{3,4}) +\| ([a-z0-9-]+) +\| \S/gm)].map(
      ([, id, name]) => `${id} ${name}`,
    );
    expect(listed.sort()).toEqual(datasets.map(({ agentId, name }) => `${agentId} ${name}`).sort());
  });
});
