import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressibleExtensions = new Set(['.css', '.js', '.json', '.map', '.svg', '.txt', '.wasm', '.webmanifest', '.xml'])
const minBytes = 512

/** Writes `file.br` and `file.gz` beside every file of `directory` that compression makes smaller. HTML is left out: the server fills it in per request. */
export async function compressDirectory(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && compressibleExtensions.has(extname(entry.name)))
  await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))))
}

/** Writes `path.br` and `path.gz`, each only if it is smaller than the file. */
export async function compressFile(filePath: string): Promise<void> {
  const bytes = await readFile(filePath)
  if (bytes.length < minBytes) return
  const brotli = promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
  const gzipped = promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION })
  for (const [extension, compressedBytes] of [
    ['.br', await brotli],
    ['.gz', await gzipped],
  ] as const) {
    if (compressedBytes.length < bytes.length) await writeFile(filePath + extension, compressedBytes)
  }
}

export function compressPlugin(): Plugin {
  let directory = ''
  return {
    name: 'varispeed:compress',
    apply: (_, { mode }) => mode === 'production',
    configResolved(config) {
      directory = resolve(config.root, config.build.outDir)
    },
    // The plugin runs after the files of `public` were copied, and only if the build succeeded.
    async writeBundle() {
      await compressDirectory(directory)
    },
  }
}
