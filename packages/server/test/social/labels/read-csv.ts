/** Parses the records of a CSV text (RFC 4180), with quoted fields, doubled quotes and quoted line ends. */
export function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    const [whole, quoted, plain = "", end = ""] = match;
    if (whole === "" && record.length === 0) continue;
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    records.push(record);
    record = [];
  }
  return records;
}
