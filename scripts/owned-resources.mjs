import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './node-version.mjs'
import { listSourceFiles } from './source-files.mjs'
import { findLineAt, parseFile, visitNodes } from './syntax-tree.mjs'

// Prints every listener, timer and object URL of the page that no scope owns; exits with 1 if there is one.

const checkedFiles = /^client\/.*\.tsx?$/
const filesWithoutOwnershipRule = /^client\/primitives\/|\/testing\/|\.test\.tsx?$|\.d\.ts$|\.gen\.ts$/

/** The calls that need no owner, each written `file: function`, mapped to the reason. @type {ReadonlyMap<string, string>} */
export const exemptCalls = new Map([
  ['client/data/favorites.ts: setTimeout', 'the timer only removes rows that are stored elsewhere by then'],
  ['client/platform/worker-maintenance.ts: addEventListener', "Workbox's event target is no EventTarget, and lives as long as the page"],
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
 * Finds calls of the functions in `adviceByCall`. These calls are allowed:
 * - `addEventListener` with the option `signal`, on `self` (a worker's own), or for the event 'abort', after which a signal fires nothing;
 * - `setTimeout` whose result is used, without a delay (the next task), or with `resolve`, by which a promise waits.
 * @param {string} filePath a name with the extension of its language @param {string} sourceText @returns {Finding[]}
 */
export function findUnownedResources(filePath, sourceText) {
  const { program } = parseFile(filePath, sourceText)
  /** @type {Set<any>} */
  const unusedResults = new Set()
  /** @type {Finding[]} */
  const unownedResources = []
  visitNodes(program, (node) => {
    if (node.type === 'ExpressionStatement') unusedResults.add(node.expression)
    // The result of a callback's call counts as ignored, because the caller ignores it.
    if (node.type === 'ArrowFunctionExpression') unusedResults.add(node.body)
    if (node.type !== 'CallExpression') return
    const { callee, arguments: callArguments } = node
    const calleeName = callee.type === 'MemberExpression' ? callee.property.name : callee.name
    if (!adviceByCall.has(calleeName)) return
    if (calleeName === 'addEventListener' && isAllowedListener(callee, callArguments)) return
    if (calleeName === 'setTimeout' && (!unusedResults.has(node) || callArguments.length === 1 || callArguments[0]?.name === 'resolve'))
      return
    unownedResources.push({ line: findLineAt(sourceText, node.start), name: calleeName })
  })
  return unownedResources
}

/** @param {any} calleeNode @param {any[]} callArguments */
function isAllowedListener(calleeNode, callArguments) {
  const listenerTarget = calleeNode.object?.type === 'ChainExpression' ? calleeNode.object.expression : calleeNode.object
  if (listenerTarget?.name === 'self' || callArguments[0]?.value === 'abort') return true
  return (
    callArguments[2]?.type === 'ObjectExpression' &&
    callArguments[2].properties.some((/** @type {any} */ { key }) => key?.name === 'signal')
  )
}

function checkFiles() {
  const checkedPaths = listSourceFiles('client').filter((file) => checkedFiles.test(file) && !filesWithoutOwnershipRule.test(file))
  const unusedExceptions = new Set(exemptCalls.keys())
  /** @type {string[]} */
  const violationTexts = []
  for (const filePath of checkedPaths) {
    for (const { line, name } of findUnownedResources(filePath, readFileSync(join(root, filePath), 'utf8'))) {
      if (exemptCalls.has(`${filePath}: ${name}`)) unusedExceptions.delete(`${filePath}: ${name}`)
      else violationTexts.push(`${filePath}:${line}: ${name} without an owner: ${adviceByCall.get(name)}`)
    }
  }
  for (const exception of unusedExceptions) violationTexts.push(`${exception}: the exception is not needed`)
  for (const breach of violationTexts) process.stdout.write(`${breach}\n`)
  process.stdout.write(`${checkedPaths.length} files, ${violationTexts.length} resources without an owner\n`)
  process.exitCode = violationTexts.length === 0 && checkedPaths.length > 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) checkFiles()
