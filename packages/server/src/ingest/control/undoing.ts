/** Why nothing else fills the gap of rows that are being taken back: only a walk that brought them back closes it. */
export const UNDOING = "It is closed by the walk that takes them back.";
