/** Whether a spreadsheet would run the text as a formula, by OWASP's list. */
export const isFormula = (text: string): boolean => /^[\s\0]*[=+\-@\t\r\n|%]/u.test(text);
