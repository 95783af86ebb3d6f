import { EXAMPLE_SAMPLE, type ExampleValues } from "../../definition/example-values.ts";
import { toPageFile, type PageFile } from "../pages/page-file.ts";

/** A document at a path; one with examples uses the values that `find` returns. */
export type DocsFile = {
  readonly path: string;
  readonly file: (find: () => Promise<ExampleValues>) => Promise<PageFile>;
};

type Requested = {
  readonly path: string;
  readonly kind: "html" | "css" | "js" | "json";
  readonly hasExamples?: boolean;
  readonly text: (values: ExampleValues) => string;
};

/** Builds a document on first request and caches it: if new values give the same text, it keeps its file and ETag. */
export function docsFile({ path, kind, hasExamples = false, text: textOf }: Requested): DocsFile {
  let made: { readonly values: ExampleValues; readonly text: string; readonly file: PageFile } | undefined;
  return {
    path,
    file: async (find) => {
      const values = hasExamples ? await find() : EXAMPLE_SAMPLE.values;
      if (made?.values === values) return made.file;
      const text = textOf(values);
      const file = made?.text === text ? made.file : toPageFile(`page.${kind}`, Buffer.from(text));
      if (file === undefined) throw new TypeError(`pages of kind ${kind} are not served`);
      made = { values, text, file };
      return file;
    },
  };
}
