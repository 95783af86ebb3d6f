import type { Mutation } from "./mutation.ts";
import { plant } from "./checkout.ts";
import { type Failure, type Level, levelOf, type Run, runTests } from "./run-tests.ts";
import { markdownTable } from "../bench/markdown-table.ts";

export type Tried = {
  readonly id: string;
  /** The level that caught it first; undefined if it survived. */
  readonly caught: (Failure & { readonly level: Level }) | undefined;
  readonly seconds: number;
};

export const LEVELS: readonly Level[] = ["quick", "full"];

/** Applies a mutation in a copy of the checkout and runs the tests that should notice, the quick ones first. */
export async function tryMutation(root: string, mutation: Mutation, levels: readonly Level[]): Promise<Tried> {
  const takeOut = plant(root, mutation);
  let seconds = 0;
  try {
    for (const level of levels) {
      const files = mutation.tests.filter((file) => levelOf(file) === level);
      if (files.length === 0) continue;
      const run = await runTests(root, level, files, true);
      seconds += run.seconds;
      const [failure] = run.failed;
      if (failure !== undefined) return { id: mutation.id, caught: { ...failure, level }, seconds };
    }
    return { id: mutation.id, caught: undefined, seconds };
  } finally {
    takeOut();
  }
}

/** The same tests on the unmodified code: files that fail there too have caught nothing. */
export async function findUnsound(root: string, tried: readonly Tried[]): Promise<Run["failed"]> {
  const failed: Failure[] = [];
  for (const level of LEVELS) {
    const caught = tried.flatMap((each) => (each.caught?.level === level ? [each.caught.file] : []));
    const files = [...new Set(caught.flatMap((file) => file.split(", ")))];
    if (files.length > 0) failed.push(...(await runTests(root, level, files, false)).failed);
  }
  return failed;
}

/** A sentence with how many of those tried were caught. */
export function totalOf(tried: readonly Tried[]): string {
  const count = (level?: string): number =>
    tried.filter(({ caught }) => caught !== undefined && (level === undefined || caught.level === level)).length;
  return `quick ${count("quick")} of ${tried.length}, all ${count()} of ${tried.length}`;
}

/** One line per mutation: what it breaks, and what caught it. */
export function toMarkdown(mutations: readonly Mutation[], tried: readonly Tried[]): string {
  const byId = new Map(tried.map((each) => [each.id, each]));
  const lines = mutations.flatMap(({ id, area, breaks }) => {
    const result = byId.get(id);
    if (result === undefined) return [];
    const { caught, seconds } = result;
    const by = caught === undefined ? "" : `${caught.file}: ${caught.test}`;
    return [
      [area, id, breaks, caught?.level ?? "**survived**", by.replaceAll("|", "\\|"), String(Math.round(seconds))],
    ];
  });
  return markdownTable(["area", "mutation", "what it breaks", "caught by", "test", "s"], lines);
}
