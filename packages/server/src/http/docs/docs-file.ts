import { EXAMPLE_SAMPLE, type ExampleValues } from "../../definition/example-values.ts";
import { toPageFile, type PageFile } from "../pages/page-file.ts";

/** A document at a path; one with examples is made of the values that `find` gives. */
export type DocsFile = {
  readonly path: string;
  readonly file: (find: () => Promise<ExampleValues>) => Promise<PageFile>;
};

type Asked = {
  readonly path: string;
  readonly kind: "html" | "css" | "js" | "json";
  readonly hasExamples?: boolean;
  readonly text: (values: ExampleValues) => string;
};

/** It is made when it is first asked for and kept: other values with the same text leave it, and its tag, as it is. */
export function docsFile({ path, kind, hasExamples = false, text: textOf }: Asked): DocsFile {
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
