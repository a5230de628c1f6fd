import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { root } from './node-version.mjs'
import { sourceFiles } from './source-files.mjs'
import { visitNodes } from './words.mjs'

// Prints names, each with the line that declares it, and comments of the product's own code, drawn by a seed over all folders, for a reader
// who judges whether each is understood without the lines beside it. `node scripts/sample-words.mjs [--seed N] [--count N]`: the same code and seed give the same sample.

/** @param {string} name @param {number} fallback */
const numberArgument = (name, fallback) => {
  const index = process.argv.indexOf(name)
  return index < 0 ? fallback : Number(process.argv[index + 1])
}

/** Pseudo-random numbers in [0, 1): the mulberry32 generator by Tommy Ettinger. @param {number} seed */
function createRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixedBits = Math.imul(state ^ (state >>> 15), state | 1)
    mixedBits ^= mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), mixedBits | 61)
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Syntax node of a declaration → the word that is printed before its name. */
const declarationKinds = new Map([
  ['VariableDeclarator', 'variable'],
  ['FunctionDeclaration', 'function'],
  ['ClassDeclaration', 'class'],
  ['TSInterfaceDeclaration', 'type'],
  ['TSTypeAliasDeclaration', 'type'],
  ['TSPropertySignature', 'property'],
  ['TSMethodSignature', 'method'],
  ['MethodDefinition', 'method'],
  ['PropertyDefinition', 'property'],
])

/** True for a JSDoc comment that gives types only: `@param {string[]} args`. @param {string} comment */
const isTypeAnnotation = (comment) => comment.replace(/@(param|returns)\s+\{[^@]*\}(\s+\[?[\w.]+\]?)?/g, '').trim() === ''

/** Returns the line of `text` around `index`, without its indentation. @param {string} text @param {number} index */
function lineAt(text, index) {
  const end = text.indexOf('\n', index)
  return text.slice(text.lastIndexOf('\n', index) + 1, end < 0 ? text.length : end).trim()
}

/**
 * Lists the comments and the declared names of one file, each name after the kind of its declaration and before the line of it. Names shorter
 * than three letters, names of imports and lint directives are left out; consecutive line comments are one comment.
 *
 * @param {string} file @param {string} text
 * @returns {{ comments: string[], names: string[] }}
 */
export function wordsOf(file, text) {
  const { program, comments } = parseSync(file, text, { sourceType: 'module' })
  /** @type {{ text: string, end: number }[]} */
  const joinedComments = []
  for (const { type, value, start, end } of comments) {
    const lastComment = joinedComments.at(-1)
    if (
      lastComment &&
      type === 'Line' &&
      /^\s*$/.test(text.slice(lastComment.end, start)) &&
      !text.slice(lastComment.end, start).includes('\n\n')
    ) {
      lastComment.text += ` ${value.trim()}`
      lastComment.end = end
    } else
      joinedComments.push({
        text: value
          .replace(/^\*/, '')
          .replace(/\n\s*\*?/g, ' ')
          .trim(),
        end,
      })
  }
  /** @type {Map<string, string>} */
  const lineByName = new Map()
  /** @param {any} pattern @param {string} kind */
  const addNames = (pattern, kind) => {
    const name = `${kind} ${pattern?.name}`
    if (pattern?.type === 'Identifier' && pattern.name.length > 2 && !lineByName.has(name))
      lineByName.set(name, lineAt(text, pattern.start))
    for (const property of pattern?.properties ?? []) addNames(property.value ?? property.argument, kind)
    for (const element of pattern?.elements ?? []) addNames(element, kind)
    if (pattern?.type === 'AssignmentPattern') addNames(pattern.left, kind)
  }
  visitNodes(program, (node) => {
    const kind = declarationKinds.get(node.type)
    if (kind !== undefined) addNames(node.id ?? node.key, /Function/.test(node.init?.type) ? 'function' : kind)
    if (/Function/.test(node.type)) for (const parameter of node.params?.items ?? node.params ?? []) addNames(parameter, 'parameter')
  })
  return {
    comments: joinedComments
      .map(({ text: words }) => words)
      .filter(
        (words) => /[a-z]{3}/i.test(words) && !/^(biome-ignore|\/ <reference|@ts-|@type|@vite)/.test(words) && !isTypeAnnotation(words),
      ),
    names: [...lineByName].map(([name, line]) => `${name}: ${line}`),
  }
}

/**
 * Draws one item of a folder at a time, folders in turn, so that small folders are read as well as large ones.
 *
 * @template T @param {Map<string, T[]>} itemsByFolder @param {number} count @param {() => number} random @returns {{ folder: string, item: T }[]}
 */
function drawEvenly(itemsByFolder, count, random) {
  const pools = [...itemsByFolder].sort(([a], [b]) => (a < b ? -1 : 1)).map(([folder, items]) => ({ folder, items: [...items] }))
  /** @type {{ folder: string, item: T }[]} */
  const drawnItems = []
  while (drawnItems.length < count && pools.some(({ items }) => items.length > 0)) {
    const pool = pools[Math.floor(random() * pools.length)]
    const [item] = pool?.items.splice(Math.floor(random() * pool.items.length), 1) ?? []
    if (pool && item !== undefined) drawnItems.push({ folder: pool.folder, item })
  }
  return drawnItems
}

function main() {
  const random = createRandom(numberArgument('--seed', 12))
  const count = numberArgument('--count', 100)
  /** @type {Map<string, string[]>} */
  const commentsByFolder = new Map()
  /** @type {Map<string, string[]>} */
  const namesByFolder = new Map()
  for (const file of sourceFiles().filter((path) => /\.(tsx?|mjs)$/.test(path) && !/\.gen\.ts$/.test(path))) {
    const parts = file.split('/')
    const folder = parts.slice(0, Math.min(parts.length - 1, /^(client|server)$/.test(parts[0] ?? '') ? 2 : 1)).join('/') || '.'
    const words = wordsOf(file, readFileSync(join(root, file), 'utf8'))
    commentsByFolder.set(folder, [...(commentsByFolder.get(folder) ?? []), ...words.comments])
    namesByFolder.set(folder, [...(namesByFolder.get(folder) ?? []), ...words.names])
  }
  const commentCount = Math.floor(count / 2)
  const drawnItems = [...drawEvenly(namesByFolder, count - commentCount, random), ...drawEvenly(commentsByFolder, commentCount, random)]
  for (const [index, { folder, item }] of drawnItems.entries()) process.stdout.write(`${index + 1}. [${folder}] ${item}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
