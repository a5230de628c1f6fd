/** CSV as RFC 4180 has it, and as spreadsheets write it. */

export interface CsvRow {
  cells: readonly string[]
  /** Where the row begins, from 1. */
  line: number
}

const DELIMITERS = [',', ';', '\t'] as const

/** What separates the cells: what stands most often in the first line. */
function delimiterOf(text: string): string {
  const line = text.slice(0, /[\r\n]|$/.exec(text)?.index).replace(/"[^"]*"/g, '')
  const count = (delimiter: string) => line.split(delimiter).length
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** Never fails: a quote that nobody closes is a character. Empty lines are left out. */
export function parseCsv(text: string): CsvRow[] {
  // What spreadsheets are told about the file is no row of it.
  const told = /^sep=(.)\r?\n/i.exec(text)
  const delimiter = told?.[1] ?? delimiterOf(text)
  const rows: CsvRow[] = []
  let line = told ? 2 : 1
  let at = told ? told[0].length : 0
  while (at < text.length) {
    const cells: string[] = []
    const begin = line
    for (;;) {
      let cell = ''
      const close = text[at] === '"' ? closingQuote(text, at) : -1
      if (close > 0) {
        cell = text.slice(at + 1, close).replaceAll('""', '"')
        line += breaksIn(cell)
        at = close + 1
      }
      const end = endOfCell(text, at, delimiter)
      cells.push(cell + text.slice(at, end))
      at = end
      if (text[at] !== delimiter) break
      at++
    }
    if (text[at] === '\r') at++
    if (text[at] === '\n') at++
    line++
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ cells, line: begin })
  }
  return rows
}

/** -1 where nobody closes it. */
function closingQuote(text: string, open: number): number {
  for (let at = open + 1; ; at += 2) {
    at = text.indexOf('"', at)
    if (at < 0 || text[at + 1] !== '"') return at
  }
}

function endOfCell(text: string, from: number, delimiter: string): number {
  let at = from
  while (at < text.length && text[at] !== delimiter && text[at] !== '\r' && text[at] !== '\n') at++
  return at
}

const breaksIn = (cell: string): number => cell.match(/\r\n|\r|\n/g)?.length ?? 0

/**
 * A spreadsheet would run what begins so. With an apostrophe before it, it shows it (OWASP, "CSV Injection"). What begins with apostrophes
 * before such a sign gets one more, so that reading can take exactly one away.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u

export const neutralise = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell)
export const restore = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell)

/** Cells that a spreadsheet shows and never runs. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map((cell) => quoted(neutralise(cell))).join(',')}\r\n`).join('')

const quoted = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
