import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serverProgram } from './server.ts'

interface Part {
  file: string
}

/** Which files the build made of which sources: parts are not called by what they are. */
export function readParts(clientDir = join(dirname(serverProgram), '../client')): Record<string, Part> {
  return JSON.parse(readFileSync(join(clientDir, '.vite/manifest.json'), 'utf8'))
}

/** The file, below the client's folder, of the part that begins with `source`. */
export function partOf(source: string, clientDir?: string): string {
  const part = readParts(clientDir)[source]
  if (part === undefined) throw new Error(`The build has no part of ${source}`)
  return part.file
}

export const storagePart = 'routes/storage.tsx?tsr-split=component'
