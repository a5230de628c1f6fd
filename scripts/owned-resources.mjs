import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './node-version.mjs'
import { sourceFiles } from './source-files.mjs'
import { lineAt, parseFile, visitNodes } from './syntax-tree.mjs'

// Prints every listener, timer and object URL of the page that no scope owns; exits with 1 if there is one.

const checkedFiles = /^client\/.*\.tsx?$/
const filesWithoutOwnershipRule = /^client\/primitives\/|\/testing\/|\.test\.tsx?$|\.d\.ts$|\.gen\.ts$/

/** The calls that need no scope, as `file: function` → reason. @type {ReadonlyMap<string, string>} */
export const exemptCalls = new Map([
  ['client/data/favorites.ts: setTimeout', 'the timer only removes rows that are stored elsewhere by then'],
  ['client/platform/service-worker.ts: addEventListener', "Workbox's event target is no EventTarget, and lives as long as the page"],
])

/** @type {ReadonlyMap<string, string>} */
const adviceByCall = new Map([
  ['addEventListener', 'use scope.listen, `listen` of client/primitives/scope.ts, or the option `signal`'],
  ['setInterval', 'use scope.interval or `startInterval` of client/primitives/scope.ts'],
  ['createObjectURL', 'use scope.objectUrl'],
  ['setTimeout', 'use scope.timeout or `startTimeout` of client/primitives/scope.ts, so that the timer can be cancelled'],
])

/**
 * @typedef {{ line: number, name: string }} Finding
 *
 * Finds calls of the functions above. These calls are allowed:
 * - `addEventListener` with the option `signal`, on `self` (a worker's own), or for the event 'abort', after which a signal fires nothing;
 * - `setTimeout` whose result is used, without a delay (the next task), or with `resolve`, by which a promise waits.
 * @param {string} file a name with the extension of its language @param {string} text @returns {Finding[]}
 */
export function findUnownedResources(file, text) {
  const { program } = parseFile(file, text)
  /** @type {Set<any>} */
  const unusedResults = new Set()
  /** @type {Finding[]} */
  const findings = []
  visitNodes(program, (node) => {
    if (node.type === 'ExpressionStatement') unusedResults.add(node.expression)
    // The result of a callback's call counts as ignored, because the caller ignores it.
    if (node.type === 'ArrowFunctionExpression') unusedResults.add(node.body)
    if (node.type !== 'CallExpression') return
    const { callee, arguments: callArguments } = node
    const name = callee.type === 'MemberExpression' ? callee.property.name : callee.name
    if (!adviceByCall.has(name)) return
    if (name === 'addEventListener' && isEndingListener(callee, callArguments)) return
    if (name === 'setTimeout' && (!unusedResults.has(node) || callArguments.length === 1 || callArguments[0]?.name === 'resolve')) return
    findings.push({ line: lineAt(text, node.start), name })
  })
  return findings
}

/** @param {any} callee @param {any[]} callArguments */
function isEndingListener(callee, callArguments) {
  const listenerTarget = callee.object?.type === 'ChainExpression' ? callee.object.expression : callee.object
  if (listenerTarget?.name === 'self' || callArguments[0]?.value === 'abort') return true
  return (
    callArguments[2]?.type === 'ObjectExpression' &&
    callArguments[2].properties.some((/** @type {any} */ { key }) => key?.name === 'signal')
  )
}

function main() {
  const files = sourceFiles('client').filter((file) => checkedFiles.test(file) && !filesWithoutOwnershipRule.test(file))
  const unusedExceptions = new Set(exemptCalls.keys())
  /** @type {string[]} */
  const breaches = []
  for (const file of files) {
    for (const { line, name } of findUnownedResources(file, readFileSync(join(root, file), 'utf8'))) {
      if (exemptCalls.has(`${file}: ${name}`)) unusedExceptions.delete(`${file}: ${name}`)
      else breaches.push(`${file}:${line}: ${name} without an owner: ${adviceByCall.get(name)}`)
    }
  }
  for (const exception of unusedExceptions) breaches.push(`${exception}: the exception is not needed`)
  for (const breach of breaches) process.stdout.write(`${breach}\n`)
  process.stdout.write(`${files.length} files, ${breaches.length} resources without an owner\n`)
  process.exitCode = breaches.length === 0 && files.length > 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
