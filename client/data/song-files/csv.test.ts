import { expect, it } from 'vitest'
import { escapeFormula, parseCsv, toCsv, unescapeFormula } from './csv.ts'

it('CSV: formulas are escaped, and line ends of every kind are counted', () => {
  for (const cell of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', "'=1"]) {
    expect(escapeFormula(cell)).toBe(`'${cell}`)
    expect(unescapeFormula(escapeFormula(cell))).toBe(cell)
  }
  expect(toCsv([['-abcdefghij', "it's"]])).toBe("'-abcdefghij,it's\r\n")
  expect(unescapeFormula("it's")).toBe("it's")
  expect(parseCsv('a\rb\nc\r\nd').map(({ cells, lineNumber }) => [cells[0], lineNumber])).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['d', 4],
  ])
})
