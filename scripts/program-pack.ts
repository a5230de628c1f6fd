import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { ON_DEMAND_REVISION, PROGRAM_PACK_REVISION } from '../contract/caches.ts'
import { packFiles } from '../contract/program-pack.ts'
import { compressFile } from './compress.ts'

interface ManifestEntry {
  url: string
  revision: string | null
  size: number
}

/**
 * Writes the pack of each build: one file that contains all files that a service worker precaches at installation. `addTo` writes this
 * file, and returns the
 * entries of the precache
 * manifest, to which it adds an entry for the pack.
 * The pack's name contains a hash of its content. No earlier pack is retained, because a worker that finds none fetches
 * the files one by one.
 */
export function createProgramPack() {
  let outputFolder = ''
  let isPackCompressed = false
  const plugin: Plugin = {
    name: 'varispeed:program-pack',
    apply: 'build',
    configResolved(config) {
      outputFolder = resolve(config.root, config.build.outDir)
      isPackCompressed = config.mode === 'production'
    },
  }
  async function addTo(manifestEntries: readonly ManifestEntry[]): Promise<ManifestEntry[]> {
    const packedPaths = manifestEntries.filter(({ revision }) => revision !== ON_DEMAND_REVISION).map(({ url }) => url)
    const packBytes = packFiles(
      await Promise.all(packedPaths.map(async (path) => ({ path, bytes: new Uint8Array(await readFile(join(outputFolder, path))) }))),
    )
    const url = `program-${createHash('sha256').update(packBytes).digest('hex').slice(0, 8)}.pack`
    await writeFile(join(outputFolder, url), packBytes)
    if (isPackCompressed) await compressFile(join(outputFolder, url))
    return [...manifestEntries, { url, revision: PROGRAM_PACK_REVISION, size: packBytes.length }]
  }
  return { plugin, addTo }
}
