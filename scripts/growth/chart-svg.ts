export type Series = {
  readonly label: string;
  readonly color: string;
  readonly points: readonly (readonly [x: number, y: number])[];
};
export type Chart = {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly series: readonly Series[];
};

const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [640, 360, 70, 36, 20, 48];

/** Lines over two axes of powers of ten, as SVG. Values must be above 0. */
export function chartSvg({ title, x, y, series }: Chart): string {
  const all = series.flatMap(({ points }) => points);
  const across = scale(
    all.map(([value]) => value),
    LEFT,
    WIDTH - RIGHT,
  );
  const up = scale(
    all.map(([, value]) => value),
    HEIGHT - BOTTOM,
    TOP,
  );
  const lines = series.map(({ label, color, points }, index) => {
    const path = points.map(([px, py], at) => `${at === 0 ? "M" : "L"}${across.at(px)} ${up.at(py)}`).join(" ");
    const dots = points.map(([px, py]) => `<circle cx="${across.at(px)}" cy="${up.at(py)}" r="3" fill="${color}"/>`);
    const key = `<text x="${LEFT + 12}" y="${TOP + 16 + index * 16}" fill="${color}">${label}</text>`;
    return `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join("")}${key}`;
  });
  const ticks = [
    ...across.ticks.map(
      (tick) =>
        `<line x1="${across.at(tick)}" y1="${TOP}" x2="${across.at(tick)}" y2="${HEIGHT - BOTTOM}" stroke="#8884"/><text x="${across.at(tick)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${short(tick)}</text>`,
    ),
    ...up.ticks.map(
      (tick) =>
        `<line x1="${LEFT}" y1="${up.at(tick)}" x2="${WIDTH - RIGHT}" y2="${up.at(tick)}" stroke="#8884"/><text x="${LEFT - 6}" y="${up.at(tick) + 4}" text-anchor="end">${short(tick)}</text>`,
    ),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img" aria-label="${title}"><rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/><text x="${LEFT}" y="20" font-weight="bold">${title}</text>${ticks.join("")}${lines.join("")}<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${x}</text><text transform="translate(14 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${y}</text></svg>\n`;
}

function scale(values: readonly number[], from: number, to: number) {
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const span = Math.max(1, high - low);
  return {
    at: (value: number): number => Math.round(from + ((Math.log10(value) - low) / span) * (to - from)),
    ticks: Array.from({ length: span + 1 }, (_, index) => 10 ** (low + index)),
  };
}

function short(value: number): string {
  const [size, unit] = value >= 1e9 ? [1e9, " B"] : value >= 1e6 ? [1e6, " M"] : value >= 1e3 ? [1e3, " k"] : [1, ""];
  return `${Number((value / size).toPrecision(3))}${unit}`;
}
