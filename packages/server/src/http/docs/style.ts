/** The style sheet of the pages under /docs. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem 1.25rem 4rem; font: 16px/1.55 system-ui, sans-serif; }
header { padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.6rem; margin: 1.2rem 0 0.4rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.6rem; border-bottom: 1px solid var(--line); }
code, pre { font: 0.88em/1.5 ui-monospace, monospace; }
pre { padding: 0.8rem 1rem; background: var(--soft); border-radius: 6px; overflow-x: auto; }
td:first-child code { white-space: nowrap; }
.table { overflow-x: auto; }
`;
