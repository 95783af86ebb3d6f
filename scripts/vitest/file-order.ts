import { BaseSequencer, type TestSpecification } from "vitest/node";
import { seededRandom } from "./seed.ts";
import { MAX_FILES } from "./test-levels.ts";

/**
 * The longest files first, else one of them would run alone at the end; before them isolated files, since a shared
 * process ends when the next file needs its own. TEST_ORDER=shuffle randomises the order.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    if (process.env["TEST_ORDER"] === "shuffle") return shuffled(files);
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  if (project.config.isolate) return -1;
  const place = MAX_FILES.findIndex((file) => moduleId.endsWith(file));
  return place === -1 ? MAX_FILES.length : place;
}

function shuffled(files: readonly TestSpecification[]): TestSpecification[] {
  const random = seededRandom();
  return files
    .toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
    .map((file) => ({ file, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ file }) => file);
}
