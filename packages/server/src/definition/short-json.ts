const MAX_DEPTH = 64;

/** The first `most` characters of a value's JSON. Writes no more than these, however large or deep the value is. */
export function shortJson(value: unknown, most: number): string {
  let text = "";
  const write = (part: unknown, depth: number): void => {
    if (text.length >= most) return;
    if (typeof part === "string") text += JSON.stringify(part.slice(0, most));
    else if (typeof part !== "object" || part === null) text += JSON.stringify(part) ?? "null";
    else if (depth >= MAX_DEPTH) text += "…";
    else if (Array.isArray(part)) writeList(part, depth);
    else writeObject(part, depth);
  };
  const writeList = (list: readonly unknown[], depth: number): void => {
    text += "[";
    for (let index = 0; index < list.length && text.length < most; index += 1) {
      if (index > 0) text += ",";
      write(list[index], depth + 1);
    }
    text += "]";
  };
  const writeObject = (object: object, depth: number): void => {
    text += "{";
    let separator = "";
    for (const key in object) {
      if (text.length >= most) break;
      const inner = (object as Record<string, unknown>)[key];
      if (inner === undefined) continue;
      text += `${separator}${JSON.stringify(key.slice(0, most))}:`;
      separator = ",";
      write(inner, depth + 1);
    }
    text += "}";
  };
  if (value === undefined) return "nothing";
  write(value, 0);
  return text.slice(0, most);
}
