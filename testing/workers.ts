import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { build, type Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin } from 'vite'
import { AAC_ENCODER_MODULE, toEsModule } from '../scripts/aac-encoder.ts'

const aacEncoder: EsbuildPlugin = {
  name: 'aac-encoder',
  setup: ({ onLoad }) =>
    onLoad({ filter: AAC_ENCODER_MODULE }, async ({ path }) => ({ contents: toEsModule(await readFile(path, 'utf8')) })),
}

/**
 * Serves each worker as one file, as the build does. A worker of separate modules would request and compile them at every start, which
 * takes four times the processor time.
 */
export function bundleWorkers(): Plugin {
  return {
    name: 'bundled-workers',
    enforce: 'pre',
    load: {
      filter: { id: /[?&]worker_file\b/ },
      async handler(moduleId) {
        const { outputFiles, metafile } = await build({
          entryPoints: [moduleId.replace(/\?.*/, '')],
          bundle: true,
          format: 'esm',
          target: 'es2022',
          minify: true,
          write: false,
          metafile: true,
          plugins: [aacEncoder],
          logLevel: 'warning',
        })
        for (const path of Object.keys(metafile.inputs)) this.addWatchFile(resolve(path))
        return { code: outputFiles.map(({ text }) => text).join(''), map: null }
      },
    },
  }
}
