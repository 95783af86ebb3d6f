type Cells = readonly (string | number)[];

const line = (cells: Cells): string => `| ${cells.join(" | ")} |`;

export const markdownTable = (heads: readonly string[], lines: readonly Cells[]): string =>
  [line(heads), line(heads.map(() => "---")), ...lines.map(line)].join("\n");
