/** Follows a session's statements: is it between BEGIN and COMMIT? Our own statements never hide one in a script. */
export function watchTransaction(): { see: (text: string) => void; isOpen: () => boolean } {
  let open = false;
  return {
    see: (text) => {
      if (/^\s*(begin|start\s+transaction)\b/i.test(text)) open = true;
      else if (/^\s*(commit|rollback)\b/i.test(text)) open = false;
    },
    isOpen: () => open,
  };
}
