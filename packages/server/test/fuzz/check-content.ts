/** Problems with rows in a format other than JSON. */
export function problemsOfRows(type: string, bytes: Buffer, text: string): string[] {
  if (/DB::Exception|__exception__/.test(text)) return ["the engine's words among rows"];
  if (type.startsWith("text/csv")) return text.includes("\n") ? [] : ["CSV without a line"];
  if (type.startsWith("application/x-ndjson"))
    return text.split("\n").filter(Boolean).every(isJson) ? [] : ["a line that is not JSON"];
  if (type === "application/vnd.apache.parquet") {
    const [first, last] = [bytes.subarray(0, 4), bytes.subarray(-4)].map((part) => part.toString("latin1"));
    return first === "PAR1" && last === "PAR1" ? [] : ["not Parquet"];
  }
  if (type === "application/vnd.apache.arrow.stream")
    return bytes.length > 8 && bytes.readUInt32LE(0) === 0xff_ff_ff_ff ? [] : ["not an Arrow stream"];
  return [`content-type ${type}`];
}

/** Problems with an answer of the console. */
export function problemsOfConsole(type: string, text: string): string[] {
  if (/argon2|password_hash|digest/.test(text)) return ["a column of the records that is nobody's affair"];
  if (type.startsWith("text/csv")) return text.startsWith("day,") ? [] : ["CSV without headings"];
  if (!type.startsWith("application/json")) return [`content-type ${type}`];
  return isJson(text) ? [] : ["not JSON"];
}

const TYPES = { json: "application/json", css: "text/css", js: "text/javascript" } as const;
/** Longer documents are the same every time, so only their ends are checked. */
const PARSED_CHARS = 10_000;

/** Problems with a static document. */
export function problemsOfDocument(path: string, type: string, text: string): string[] {
  const file = path.split("?", 1)[0] ?? "";
  const ending = /\.(json|css|js)$/.exec(file)?.[1] as keyof typeof TYPES | undefined;
  const isText = ending === undefined && !/^\/(?:health|ready)$/.test(file);
  const right = isText ? "text/html" : TYPES[ending ?? "json"];
  if (!type.startsWith(`${right}; charset=utf-8`)) return [`content-type ${type}`];
  if (isText) return text.trimEnd().endsWith("</html>") ? [] : ["not a whole page"];
  if (right !== "application/json") return text === "" ? ["empty"] : [];
  const isWhole = text.length < PARSED_CHARS ? isJson(text) : text.startsWith("{") || text.startsWith("[");
  return isWhole ? [] : ["not JSON"];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
