import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = new Set(['.css', '.js', '.json', '.map', '.svg', '.txt', '.wasm', '.webmanifest', '.xml'])
const smallestBytes = 512

/** Writes `file.br` and `file.gz` beside every file of `directory` that gets smaller by it. HTML stays out: the server fills it in per request. */
export async function compressDirectory(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && compressible.has(extname(entry.name)))
  await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))))
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < smallestBytes) return
  const brotli = promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
  const gzipped = promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION })
  for (const [extension, compressed] of [
    ['.br', await brotli],
    ['.gz', await gzipped],
  ] as const) {
    if (compressed.length < bytes.length) await writeFile(path + extension, compressed)
  }
}

export function compress(): Plugin {
  let directory = ''
  return {
    name: 'varispeed:compress',
    apply: (_, { mode }) => mode === 'production',
    configResolved(config) {
      directory = join(config.root, config.build.outDir)
    },
    // After the files of `publicDir` have been copied, and only where the build worked.
    async writeBundle() {
      await compressDirectory(directory)
    },
  }
}
