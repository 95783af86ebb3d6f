const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

export const markdownTable = (heads: readonly string[], lines: readonly (readonly string[])[]): string =>
  [line(heads), line(heads.map(() => "---")), ...lines.map(line)].join("\n");
