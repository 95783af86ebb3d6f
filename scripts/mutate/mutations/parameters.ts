import type { Mutation } from "../mutation.ts";

/** What a request is read as, and how it reaches the engine. */
export const PARAMETERS: readonly Mutation[] = [
  {
    id: "day-ends-as-it-begins",
    area: "parameters",
    file: "definition/timestamp.ts",
    find: 'return edge === "start" ? render(value, "000000") : render(value + 86_399_000, "999999");',
    replace: 'return edge === "start" ? render(value, "000000") : render(value, "999999");',
    breaks: "a range that ends on a day excludes that day",
    tests: ["definition/timestamp.test.ts", "suites/dataset.test.ts"],
  },
  {
    id: "unknown-is-ignored",
    area: "parameters",
    file: "query/read-texts.ts",
    find: 'if (unknownIs === "warn" || mode === "compatible")',
    replace: 'if (unknownIs === "warn" || mode === "strict")',
    breaks: "a misspelt filter is ignored for a strict key, and every row is returned",
    tests: ["query/read-question.test.ts", "suites/dataset.test.ts"],
  },
  {
    id: "space-in-a-list",
    area: "parameters",
    file: "definition/param.ts",
    find: '.map((item) => item.trim().replace(/^"([\\s\\S]*)"$/, "$1"))',
    replace: '.map((item) => item.replace(/^"([\\s\\S]*)"$/, "$1"))',
    breaks: "of a list with spaces after its commas only the first item matches",
    tests: ["definition/timestamp.test.ts", "suites/dataset.test.ts"],
  },
  {
    id: "quote-in-a-list",
    area: "SQL binding",
    file: "store/statement.ts",
    find: ".replace(/'/g, \"\\\\'\")",
    replace: "",
    breaks: "a quote in a list of texts ends the value, and the rest is read as another one",
    tests: ["store/stored-once.test.ts", "suites/topologies.test.ts"],
  },
  {
    id: "id-named-twice",
    area: "SQL binding",
    file: "definition/filter.ts",
    find: "return [...new Set(list.value as string[])].map((value) => bind(type, value));",
    replace: "return (list.value as string[]).map((value) => bind(type, value));",
    breaks: "an id given twice is returned twice",
    tests: ["query/walk-pages.test.ts", "suites/dataset.test.ts"],
  },
];
