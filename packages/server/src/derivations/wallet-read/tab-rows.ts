/** The fields of each line of the engine's TSV, where no field holds text that is escaped. */
export function* tabRows(bytes: Buffer): Generator<readonly string[]> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(10, start);
    const stop = end === -1 ? bytes.length : end;
    yield bytes.toString("latin1", start, stop).split("\t");
    start = stop + 1;
  }
}
