import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import recheck from 'recheck'
import { root } from './node-version.mjs'
import { listSourceFiles } from './source-files.mjs'
import { findLineAt, parseFile, visitNodes } from './syntax-tree.mjs'

// Prints every regular expression of the product that is not proved to need linear time; exits with 1 if there is one.

const checkedFiles = /^(?:brands|client|contract|dsp|server|sw)\/.*\.(?:tsx?|mjs)$/
const testFiles = /\.test\.tsx?$|\/testing\/|\.gen\.ts$/
/** The limit for one expression in milliseconds, so long that a busy machine does not reach it: an idle one takes 5 s at most. */
const TIMEOUT_MS = 60_000

const ONE_START_REASON = 'a match is tried at the beginning of each run of what it repeats, at most twice'
const ONE_WAY_REASON = 'a match is tried at one place, and each character has one way to match'

/**
 * The expressions that the check may not refuse: those that may be slow, and those with assertions, about which `recheck` proves nothing. Maps the
 * source text of each expression to the reason why it is safe.
 * @type {ReadonlyMap<string, string>}
 */
export const exemptExpressions = new Map([
  [`/^[ .]+|(?<![ .])[ .]+$/g`, ONE_START_REASON],
  [String.raw`/(?<!\/)\/+$/`, ONE_START_REASON],
  [String.raw`/(?<=[^/]|^\/)\/+$/`, ONE_START_REASON],
  [String.raw`/(?<![a-z])[a-z]+:\/\/\S+/gi`, ONE_START_REASON],
  [String.raw`/(?<![\p{L}\p{M}\p{N}_])#([A-Za-z0-9_-]+)(?![\p{L}\p{M}\p{N}_-])/gu`, 'begins with a character that it does not repeat'],
  [String.raw`/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/`, 'begins with a word that it does not repeat'],
  [String.raw`/^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/`, ONE_WAY_REASON],
  [String.raw`/^::ffff:(?=\d+\.)/i`, ONE_WAY_REASON],
  [String.raw`/^(?:\/(?![/\\])|#)[^\s\\]*$/`, ONE_WAY_REASON],
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
 * @param {string} filePath a name with the extension of its language @param {string} sourceText @returns {Expression[]}
 */
export function findExpressions(filePath, sourceText) {
  const { program } = parseFile(filePath, sourceText)
  /** @type {Expression[]} */
  const foundExpressions = []
  /** @param {any} node @param {string | undefined} source @param {string} flags */
  const addExpression = (node, source, flags) => {
    if (source !== undefined && isUnboundedRegex(source)) foundExpressions.push({ line: findLineAt(sourceText, node.start), source, flags })
  }
  visitNodes(program, (node) => {
    if (node.type === 'Literal' && node.regex !== undefined) addExpression(node, node.regex.pattern, node.regex.flags)
    if (/^(?:New|Call)Expression$/.test(node.type) && node.callee.name === 'RegExp')
      addExpression(node, readConstantText(node.arguments[0]), readConstantText(node.arguments[1]) ?? '')
    if (node.type === 'Property' && node.key.name === 'pattern') addExpression(node, readConstantText(node.value), '')
  })
  return foundExpressions
}

/** Returns the text of a string or of a template without expressions. @param {any} syntaxNode @returns {string | undefined} */
function readConstantText(syntaxNode) {
  if (syntaxNode?.type === 'Literal' && typeof syntaxNode.value === 'string') return syntaxNode.value
  if (syntaxNode?.type === 'TemplateLiteral' && syntaxNode.quasis.length === 1) return syntaxNode.quasis[0].value.cooked
  return syntaxNode?.type === 'TaggedTemplateExpression' && syntaxNode.quasi.quasis.length === 1
    ? syntaxNode.quasi.quasis[0].value.raw
    : undefined
}

/** @param {string} source */
const isUnboundedRegex = (source) => /[*+]|\{\d+,\}/.test(source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'c'))

/** Returns why an expression is refused; undefined if it needs linear time. @param {Pick<Expression, 'source' | 'flags'>} expression */
export async function findProblem({ source, flags }) {
  const checkResult = await recheck.check(source, flags, { timeout: TIMEOUT_MS, checker: 'automaton' })
  if (checkResult.status === 'safe') return undefined
  return checkResult.status === 'vulnerable'
    ? `needs ${checkResult.complexity.summary} time`
    : `is not proved to need linear time (${checkResult.error.kind})`
}

async function checkRegexes() {
  const filePaths = listSourceFiles().filter((file) => checkedFiles.test(file) && !testFiles.test(file))
  const unusedExceptions = new Set(exemptExpressions.keys())
  /** @type {Map<string, { expression: Expression, place: string }>} */
  const placeByExpressionText = new Map()
  for (const filePath of filePaths) {
    for (const foundExpression of findExpressions(filePath, readFileSync(join(root, filePath), 'utf8'))) {
      const key = `/${foundExpression.source}/${foundExpression.flags}`
      if (exemptExpressions.has(key)) unusedExceptions.delete(key)
      else if (!placeByExpressionText.has(key))
        placeByExpressionText.set(key, { expression: foundExpression, place: `${filePath}:${foundExpression.line}` })
    }
  }
  /** @type {string[]} */
  const violationTexts = []
  const checkExpression = async (
    /** @type {string} */ expressionKey,
    /** @type {{ expression: Expression, place: string }} */ { expression, place },
  ) => {
    const problem = await findProblem(expression)
    if (problem !== undefined) violationTexts.push(`${place}: ${expressionKey} ${problem}`)
  }
  await Promise.all([...placeByExpressionText].map(([key, place]) => checkExpression(key, place)))
  for (const exception of unusedExceptions) violationTexts.push(`${exception}: the exception is not needed`)
  for (const breach of violationTexts) process.stdout.write(`${breach}\n`)
  process.stdout.write(`${placeByExpressionText.size} regular expressions, ${violationTexts.length} that may be slow\n`)
  process.exitCode = violationTexts.length === 0 && placeByExpressionText.size > 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await checkRegexes()
