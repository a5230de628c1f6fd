import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

/** The module of `@mediabunny/aac-encoder` that holds its WebAssembly. The package's entry starts a nested worker from a `blob:` URL, which the page's policy refuses. */
export const AAC_ENCODER_MODULE = /aac-encoder[\\/]dist[\\/]modules[\\/]build[\\/]aac\.js$/

/** The package compiles this one module to CommonJS, although it uses `import.meta`. Everything else of it stays as it is. */
export function toEsModule(sourceCode: string): string {
  const moduleCode = sourceCode
    .replace('Object.defineProperty(exports, "__esModule", { value: true });', '')
    .replace('exports.default = Module;', 'export default Module;')
  if (moduleCode.includes('exports.')) throw new Error('the module of @mediabunny/aac-encoder has another form')
  return moduleCode
}

/** Makes the encoder importable by workers. */
export const createAacEncoderModule = (): Plugin => ({
  name: 'varispeed:aac-encoder',
  enforce: 'pre',
  load: {
    filter: { id: AAC_ENCODER_MODULE },
    handler: async (id) => ({ code: toEsModule(await readFile(id, 'utf8')), map: null }),
  },
})
