import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageInfo from '../package.json' with { type: 'json' }

/** Returns the folder of the built client: next to the built server, or in `dist` if the server runs from its sources. */
export function findClientDir(): string {
  const candidateDirs = ['../client/', '../dist/client/'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
  return candidateDirs.find((path) => existsSync(`${path}index.html`) && existsSync(`${path}assets`)) ?? candidateDirs[0] ?? '.'
}

/**
 * Names the build by the package's version and the checksum of the page's HTML, which names all files of the page. Without a built page, the name is
 * the version.
 */
export function nameBuild(clientDir: string): string {
  const indexPath = join(clientDir, 'index.html')
  if (!existsSync(indexPath)) return packageInfo.version
  return `${packageInfo.version}+${createHash('sha256').update(readFileSync(indexPath)).digest('hex').slice(0, 8)}`
}
