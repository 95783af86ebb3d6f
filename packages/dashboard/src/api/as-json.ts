/** Type of a server value after JSON transport: dates become ISO text. */
export type AsJson<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly AsJson<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: AsJson<T[Name]> }
      : T;
