/** Facts that a downloaded file does not show: that more rows follow, and that rows may be missing. */
export function downloadNote(
  { isCut, isComplete }: { readonly isCut: boolean; readonly isComplete: boolean },
  limit: number,
): string {
  return [
    ...(isCut ? [`The file has the rows of one page (limit ${limit}).`] : []),
    ...(isComplete ? [] : ["It is incomplete: rows that exist upstream may be missing."]),
  ].join(" ");
}
