const WIDTH = 720;
const LABEL = 110;
const BAR = 16;
const GAP = 28;
const TOP = 64;
const SERIES = [
  { key: "ratios", colour: "#2563eb", name: "requests/s, ours over theirs" },
  { key: "cpu_ratios", colour: "#94a3b8", name: "CPU a request, theirs over ours" },
] as const;

type Charted = Readonly<Record<(typeof SERIES)[number]["key"], Readonly<Record<string, number>>>>;

const text = (x: number, y: number, content: string, more = ""): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${more}>${content}</text>`;

/** Bars of the ratios by mix, as SVG; the dashed line marks parity. */
export function chartOf(charted: Charted, title: string): string {
  const names = Object.keys(charted.ratios);
  const most = Math.max(1, ...SERIES.flatMap(({ key }) => Object.values(charted[key])));
  const scale = (WIDTH - LABEL - 60) / most;
  const height = TOP + names.length * (2 * BAR + GAP);
  const bars = names.flatMap((name, index) => {
    const y = TOP + index * (2 * BAR + GAP);
    const drawn = SERIES.flatMap(({ key, colour }, series) => {
      const value = charted[key][name] ?? 0;
      const [top, length] = [y + series * BAR, value * scale];
      return [
        `<rect x="${LABEL}" y="${top}" width="${length.toFixed(1)}" height="${BAR - 2}" fill="${colour}"/>`,
        text(LABEL + length + 6, top + BAR - 4, String(value)),
      ];
    });
    return [text(LABEL - 10, y + BAR + 3, name, ' text-anchor="end"')].concat(drawn);
  });
  const legend = SERIES.flatMap(({ colour, name }, index) => [
    `<rect x="${LABEL + index * 280}" y="34" width="12" height="12" fill="${colour}"/>`,
    text(LABEL + index * 280 + 18, 45, name),
  ]);
  const one = (LABEL + scale).toFixed(1);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#475569">`,
    text(LABEL, 20, title, ' font-size="15"'),
    ...legend,
    ...bars,
    `<line x1="${one}" x2="${one}" y1="${TOP - 8}" y2="${height - 8}" stroke="#475569" stroke-dasharray="4 4"/>`,
    "</svg>",
  ].join("\n")}\n`;
}
