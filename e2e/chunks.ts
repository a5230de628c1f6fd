import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serverScriptPath } from './server.ts'

interface ManifestEntry {
  file: string
}

/** Reads the build's manifest, which maps source files to chunk files. */
export function readManifest(clientDir = join(dirname(serverScriptPath), '../client')): Record<string, ManifestEntry> {
  return JSON.parse(readFileSync(join(clientDir, '.vite/manifest.json'), 'utf8'))
}

/** Returns the path of the chunk whose entry is `sourcePath`, relative to the built client's folder. */
export function findChunkFile(sourcePath: string, clientDir?: string): string {
  const entry = readManifest(clientDir)[sourcePath]
  if (entry === undefined) throw new Error(`The build has no chunk of ${sourcePath}`)
  return entry.file
}

export const storageChunk = 'routes/storage.tsx?tsr-split=component'
export const playerChunk = 'player/player.ts'
