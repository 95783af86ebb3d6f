declare module "wink-sentiment" {
  type Token = { readonly value: string; readonly tag: string; readonly score?: number };
  /** `normalizedScore` is -5 to 5. */
  type Polarity = {
    readonly score: number;
    readonly normalizedScore: number;
    readonly tokenizedPhrase?: readonly Token[];
  };
  const sentiment: (phrase: string) => Polarity;
  export default sentiment;
}
