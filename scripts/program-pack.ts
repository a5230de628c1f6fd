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
 * Writes the pack of each build: the files that a worker precaches at installation. `addTo` writes it and returns the entries of the precache
 * manifest with the pack's. The pack's name contains a hash of its content. No earlier pack is retained, because a worker that finds none fetches
 * the files one by one.
 */
export function programPack() {
  let folder = ''
  let isCompressed = false
  const plugin: Plugin = {
    name: 'varispeed:program-pack',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
      isCompressed = config.mode === 'production'
    },
  }
  async function addTo(entries: readonly ManifestEntry[]): Promise<ManifestEntry[]> {
    const paths = entries.filter(({ revision }) => revision !== ON_DEMAND_REVISION).map(({ url }) => url)
    const pack = packFiles(
      await Promise.all(paths.map(async (path) => ({ path, bytes: new Uint8Array(await readFile(join(folder, path))) }))),
    )
    const url = `program-${createHash('sha256').update(pack).digest('hex').slice(0, 8)}.pack`
    await writeFile(join(folder, url), pack)
    if (isCompressed) await compressFile(join(folder, url))
    return [...entries, { url, revision: PROGRAM_PACK_REVISION, size: pack.length }]
  }
  return { plugin, addTo }
}
