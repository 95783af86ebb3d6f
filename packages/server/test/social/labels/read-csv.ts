/** The records of a CSV text (RFC 4180): fields may be quoted, a doubled quote is one, quoted line ends stay. */
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
