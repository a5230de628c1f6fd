import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import recheck from 'recheck'
import { root } from './node-version.mjs'
import { sourceFiles } from './source-files.mjs'
import { lineAt, parseFile, visitNodes } from './syntax-tree.mjs'

// Prints every regular expression of the product that is not proved to need linear time; exits with 1 if there is one.

const checkedFiles = /^(?:brands|client|contract|dsp|server|sw)\/.*\.(?:tsx?|mjs)$/
const testFiles = /\.test\.tsx?$|\/testing\/|\.gen\.ts$/
/** The limit for one expression in milliseconds, so long that a busy machine does not reach it: an idle one takes 5 s at most. */
const TIMEOUT_MS = 60_000

const ONE_START = 'a match is tried at the beginning of each run of what it repeats, at most twice'
const ONE_WAY = 'a match is tried at one place, and each character has one way to match'

/**
 * The expressions that may be slow, and those with assertions, which `recheck` proves nothing about, as they are written → why they are safe.
 * @type {ReadonlyMap<string, string>}
 */
export const exemptExpressions = new Map([
  [`/^[ .]+|(?<![ .])[ .]+$/g`, ONE_START],
  [String.raw`/(?<!\/)\/+$/`, ONE_START],
  [String.raw`/(?<=[^/]|^\/)\/+$/`, ONE_START],
  [String.raw`/(?<![a-z])[a-z]+:\/\/\S+/gi`, ONE_START],
  [String.raw`/(?<![\p{L}\p{M}\p{N}_])#([A-Za-z0-9_-]+)(?![\p{L}\p{M}\p{N}_-])/gu`, 'begins with a character that it does not repeat'],
  [String.raw`/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/`, 'begins with a word that it does not repeat'],
  [String.raw`/^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/`, ONE_WAY],
  [String.raw`/^::ffff:(?=\d+\.)/i`, ONE_WAY],
  [String.raw`/^(?:\/(?![/\\])|#)[^\s\\]*$/`, ONE_WAY],
  [String.raw`/\B(?=(?:\d{3})+$)/g`, 'reads a number, of 21 digits at most'],
  [
    String.raw`/@font-face\{font-family:Anybody;src:url\(([^)]+)\)[^}]*font-stretch:(\d+)% (\d+)%[^}]*unicode-range:U\+20-/g`,
    'reads a built style sheet',
  ],
  [String.raw`/\s*<script type="module"[^>]*src="([^"]*)"[^>]*><\/script>/`, 'reads the built index.html'],
  [String.raw`/\s*<link rel="(?:stylesheet|modulepreload)"[^>]*href="\/assets\/[^>]*>/g`, 'reads the built index.html'],
])

// The implementation in JavaScript runs everywhere; the others need Java or a program for each system.
process.env.RECHECK_SYNC_BACKEND = 'pure'

/**
 * @typedef {{ line: number, source: string, flags: string }} Expression
 *
 * Finds the expressions with a quantifier without an upper bound: literals, constant patterns of `RegExp`, and patterns of schemas.
 * @param {string} file a name with the extension of its language @param {string} text @returns {Expression[]}
 */
export function findExpressions(file, text) {
  const { program } = parseFile(file, text)
  /** @type {Expression[]} */
  const expressions = []
  /** @param {any} node @param {string | undefined} source @param {string} flags */
  const add = (node, source, flags) => {
    if (source !== undefined && isUnbounded(source)) expressions.push({ line: lineAt(text, node.start), source, flags })
  }
  visitNodes(program, (node) => {
    if (node.type === 'Literal' && node.regex !== undefined) add(node, node.regex.pattern, node.regex.flags)
    if (/^(?:New|Call)Expression$/.test(node.type) && node.callee.name === 'RegExp')
      add(node, constantText(node.arguments[0]), constantText(node.arguments[1]) ?? '')
    if (node.type === 'Property' && node.key.name === 'pattern') add(node, constantText(node.value), '')
  })
  return expressions
}

/** Returns the text of a string or of a template without expressions. @param {any} node @returns {string | undefined} */
function constantText(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.quasis.length === 1) return node.quasis[0].value.cooked
  return node?.type === 'TaggedTemplateExpression' && node.quasi.quasis.length === 1 ? node.quasi.quasis[0].value.raw : undefined
}

/** @param {string} source */
const isUnbounded = (source) => /[*+]|\{\d+,\}/.test(source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'c'))

/** Returns why an expression is refused; undefined if it needs linear time. @param {Pick<Expression, 'source' | 'flags'>} expression */
export async function problemOf({ source, flags }) {
  const result = await recheck.check(source, flags, { timeout: TIMEOUT_MS, checker: 'automaton' })
  if (result.status === 'safe') return undefined
  return result.status === 'vulnerable'
    ? `needs ${result.complexity.summary} time`
    : `is not proved to need linear time (${result.error.kind})`
}

async function main() {
  const files = sourceFiles().filter((file) => checkedFiles.test(file) && !testFiles.test(file))
  const unusedExceptions = new Set(exemptExpressions.keys())
  /** @type {Map<string, { expression: Expression, place: string }>} */
  const places = new Map()
  for (const file of files) {
    for (const expression of findExpressions(file, readFileSync(join(root, file), 'utf8'))) {
      const key = `/${expression.source}/${expression.flags}`
      if (exemptExpressions.has(key)) unusedExceptions.delete(key)
      else if (!places.has(key)) places.set(key, { expression, place: `${file}:${expression.line}` })
    }
  }
  /** @type {string[]} */
  const breaches = []
  const checkPlace = async (/** @type {string} */ key, /** @type {{ expression: Expression, place: string }} */ { expression, place }) => {
    const problem = await problemOf(expression)
    if (problem !== undefined) breaches.push(`${place}: ${key} ${problem}`)
  }
  await Promise.all([...places].map(([key, place]) => checkPlace(key, place)))
  for (const exception of unusedExceptions) breaches.push(`${exception}: the exception is not needed`)
  for (const breach of breaches) process.stdout.write(`${breach}\n`)
  process.stdout.write(`${places.size} regular expressions, ${breaches.length} that may be slow\n`)
  process.exitCode = breaches.length === 0 && places.size > 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
