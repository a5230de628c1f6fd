import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const projectRoot = fileURLToPath(new URL('..', import.meta.url))
const securityPageText = readFileSync(join(projectRoot, 'docs/security.md'), 'utf8')
const asvsSection = securityPageText.slice(securityPageText.indexOf('\n## OWASP ASVS 5.0'))
const [introductionText = '', ...chapterTexts] = asvsSection.split('\n### V')

/** The number of lines of levels 1 and 2 in each chapter of the standard, V1 to V17. */
const CHAPTER_LINE_COUNTS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]

interface RequirementLine {
  number: string
  level: string
  about: string
  result: string
  where: string
}

const parseLines = (chapterText: string): RequirementLine[] =>
  [...chapterText.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$/gm)].map(
    ([, number = '', level = '', about = '', result = '', where = '']) => ({ number, level, about, result, where }),
  )
const countLevels = (lines: readonly RequirementLine[]) => {
  const countResults = (result: string) => lines.filter((line) => line.result === result).length
  return `${lines.length} lines: ${countResults('pass')} pass, ${countResults('fails')} fail, ${countResults('n/a')} do not apply.`
}

const allLines = parseLines(asvsSection)

test('ASVS: every line of levels 1 and 2 is in the table once, in order, with one of the three results', () => {
  expect(allLines).toHaveLength(253)
  expect(new Set(allLines.map(({ number }) => number)).size).toBe(253)
  expect(allLines.filter(({ level }) => level === '1')).toHaveLength(70)
  expect(allLines.filter(({ level }) => level === '2')).toHaveLength(183)
  expect(new Set(allLines.map(({ result }) => result))).toEqual(new Set(['pass', 'fails', 'n/a']))
  const computeSortKey = ({ number }: RequirementLine) => number.split('.').reduce((sum, part) => sum * 100 + Number(part), 0)
  expect(allLines.map(computeSortKey)).toEqual(allLines.map(computeSortKey).toSorted((a, b) => a - b))
  expect(allLines.filter(({ where }) => where.trim() === '')).toEqual([])
})

test('ASVS: the stated numbers of lines of each chapter, of level 1 and of the table are correct', () => {
  expect(chapterTexts.map((chapter) => parseLines(chapter).length)).toEqual(CHAPTER_LINE_COUNTS)
  for (const chapter of chapterTexts) expect(chapter).toContain(`\n${countLevels(parseLines(chapter))}\n`)
  expect(introductionText).toContain(`**All**: ${countLevels(allLines).replace(' lines:', ' lines,')}`)
  expect(introductionText).toContain(
    `**Level 1**: ${countLevels(allLines.filter(({ level }) => level === '1')).replace(' lines:', ' lines,')}`,
  )
})

/** Whether a file exists that the table names by a path in the repository or in `server/`; the path of an end-to-end test has no extension. */
const fileExists = (filePath: string) =>
  [
    filePath,
    `server/${filePath}`,
    ...(filePath.startsWith('e2e/') ? ['.spec.ts', '.long.spec.ts'].map((extension) => filePath + extension) : []),
  ].some((path) => existsSync(join(projectRoot, path)))

test('ASVS: the files that the lines name exist', () => {
  const fileNames = allLines.flatMap(({ where }) =>
    [...where.matchAll(/`([\w./-]+\.(?:tsx?|md|service|conf)|e2e\/[\w./-]+)`/g)].map(([, name = '']) => name),
  )
  expect(fileNames.length).toBeGreaterThan(150)
  expect([...new Set(fileNames)].filter((name) => !fileExists(name))).toEqual([])
})

test('ASVS: a line that passes names its evidence', () => {
  expect(allLines.filter(({ result, where }) => result === 'pass' && !where.includes('`'))).toEqual([])
})
