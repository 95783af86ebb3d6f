/** One member of a header such as Accept: its name, its weight 0–1 and its position; other parameters are dropped. */
export type Weighted = { readonly name: string; readonly weight: number; readonly place: number };

const MAX_MEMBERS = 50;

/** Parses `a;q=0.5, b` into lower-case members in the order sent; a malformed weight counts as 0. */
export function readWeightedList(header: string): Weighted[] {
  return header
    .split(",", MAX_MEMBERS)
    .map((member, place) => {
      const [name = "", ...parameters] = member.split(";");
      const weight = parameters.map((text) => /^\s*q\s*=\s*(.*?)\s*$/i.exec(text)?.[1]).find((q) => q !== undefined);
      return { name: name.trim().toLowerCase(), weight: weight === undefined ? 1 : toWeight(weight), place };
    })
    .filter((member) => member.name !== "");
}

function toWeight(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
