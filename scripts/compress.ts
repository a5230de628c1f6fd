import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressibleExtensions = new Set(['.css', '.js', '.json', '.map', '.svg', '.txt', '.wasm', '.webmanifest', '.xml'])
const minFileBytes = 512

/** Writes `file.br` and `file.gz` beside every file of `directoryPath` that compression makes smaller. HTML is left out: the server fills it in per request. */
export async function compressDirectory(directoryPath: string): Promise<void> {
  const entries = await readdir(directoryPath, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && compressibleExtensions.has(extname(entry.name)))
  await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))))
}

/** Writes `path.br` and `path.gz`, each only if it is smaller than the file. */
export async function compressFile(filePath: string): Promise<void> {
  const fileBytes = await readFile(filePath)
  if (fileBytes.length < minFileBytes) return
  const brotliBytes = promisify(brotliCompress)(fileBytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: fileBytes.length },
  })
  const gzipBytes = promisify(gzip)(fileBytes, { level: constants.Z_BEST_COMPRESSION })
  for (const [fileExtension, compressedBytes] of [
    ['.br', await brotliBytes],
    ['.gz', await gzipBytes],
  ] as const) {
    if (compressedBytes.length < fileBytes.length) await writeFile(filePath + fileExtension, compressedBytes)
  }
}

export function createCompressPlugin(): Plugin {
  let outputDirectory = ''
  return {
    name: 'varispeed:compress',
    apply: (_, { mode }) => mode === 'production',
    configResolved(config) {
      outputDirectory = resolve(config.root, config.build.outDir)
    },
    // The plugin runs after the files of `public` were copied, and only if the build succeeded.
    async writeBundle() {
      await compressDirectory(outputDirectory)
    },
  }
}
