/** A figure at so many rows. */
export type Point = { readonly rows: number; readonly value: number };

/** value = base + slope · x, and the largest share by which a point lies off it. */
export type Line = { readonly base: number; readonly slope: number; readonly off: number };

/** Least squares through points, in shares of their values, so that small stores count as much as large ones. */
export function fitLine(points: readonly Point[], of: (rows: number) => number = (rows) => rows): Line {
  if (points.length < 2) throw new RangeError(`a line needs two points, got ${points.length}`);
  const weighed = points.map(({ rows, value }) => ({ x: of(rows), y: value, w: 1 / value ** 2 }));
  const sum = (part: (point: (typeof weighed)[number]) => number): number =>
    weighed.reduce((total, point) => total + point.w * part(point), 0);
  const [n, x, y] = [sum(() => 1), sum((p) => p.x), sum((p) => p.y)];
  const [xx, xy] = [sum((p) => p.x * p.x), sum((p) => p.x * p.y)];
  const slope = (n * xy - x * y) / (n * xx - x * x);
  const base = (y - slope * x) / n;
  const off = Math.max(...weighed.map((p) => Math.abs(base + slope * p.x - p.y) / p.y));
  return { base, slope, off };
}

/** value = scale · rows ^ power, through the smallest and the largest store: for what grows faster than its rows. */
export function fitPower(points: readonly Point[]): { readonly scale: number; readonly power: number } {
  const [first, last] = [points.at(0), points.at(-1)];
  if (first === undefined || last === undefined || first.rows === last.rows)
    throw new RangeError("a power needs two stores of different size");
  const power = Math.log(last.value / first.value) / Math.log(last.rows / first.rows);
  return { power, scale: last.value / last.rows ** power };
}

export const at = ({ base, slope }: Line, x: number): number => base + slope * x;
