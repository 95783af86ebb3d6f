/** The package ships no types; this declares the part in use. */
declare module "html-to-text" {
  export type Element = { readonly attribs: Readonly<Record<string, string>>; readonly children: readonly unknown[] };
  export type Builder = { readonly addInline: (text: string, options?: { noWordTransform?: boolean }) => void };
  export type Format = (
    element: Element,
    walk: (children: readonly unknown[], builder: Builder) => void,
    builder: Builder,
  ) => void;
  export function compile(options: {
    readonly wordwrap: false;
    readonly formatters: Readonly<Record<string, Format>>;
    readonly selectors: readonly { readonly selector: string; readonly format?: string; readonly options?: object }[];
    readonly limits?: { readonly maxDepth?: number; readonly maxInputLength?: number };
  }): (html: string) => string;
}
