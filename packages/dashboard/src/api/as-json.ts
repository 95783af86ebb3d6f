/** What a value of the server's is when it comes as JSON: moments are ISO text. */
export type AsJson<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly AsJson<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: AsJson<T[Name]> }
      : T;
