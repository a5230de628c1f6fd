import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} messageLine @returns {never} */
function exitWithLine(messageLine) {
  process.stderr.write(`varispeed: ${messageLine}\n`)
  process.exit(1)
}

/** Exits with code 1 and one line if `run` fails. @param {() => Promise<void>} run */
export async function exitOnFailure(run) {
  await run().catch((error) => exitWithLine(error instanceof Error ? error.message : String(error)))
}

/** Checks the version of Node. @throws if this Node is older than package.json requires */
export function requireNode() {
  const wantedVersion = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).engines.node.replace('>=', '')
  const [wantedMajor = 0, wantedMinor = 0] = wantedVersion.split('.').map(Number)
  const [majorVersion = 0, minorVersion = 0] = process.versions.node.split('.').map(Number)
  if (majorVersion < wantedMajor || (majorVersion === wantedMajor && minorVersion < wantedMinor)) {
    throw new Error(`Node ${wantedVersion} or later is needed; this is ${process.versions.node}`)
  }
}
