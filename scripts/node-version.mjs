import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} line @returns {never} */
function fail(line) {
  process.stderr.write(`varispeed: ${line}\n`)
  process.exit(1)
}

/** Ends the program with one line and code 1 where `run` fails. @param {() => Promise<void>} run */
export async function orFail(run) {
  await run().catch((error) => fail(error instanceof Error ? error.message : String(error)))
}

/** @throws where this Node is older than package.json asks for */
export function requireNode() {
  const wanted = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).engines.node.replace('>=', '')
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number)
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
    throw new Error(`Node ${wanted} or later is needed; this is ${process.versions.node}`)
  }
}
