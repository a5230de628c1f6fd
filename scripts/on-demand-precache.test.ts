import { expect, it } from 'vitest'
import { type BuiltFile, listOnDemandFiles } from './on-demand-precache.ts'

const createBuiltChunk = (fileName: string, fileOverrides: Partial<BuiltFile> = {}): BuiltFile => ({
  type: 'chunk',
  fileName,
  code: '',
  ...fileOverrides,
})
const createBuiltAsset = (fileName: string, source = ''): BuiltFile => ({ type: 'asset', fileName, source })

const builtFiles = [
  createBuiltChunk('assets/index.js', { isEntry: true, imports: ['assets/base.js'] }),
  // The chunk's code lists files: for each import(), Vite lists in the importing chunk the files that are to be fetched at the same time.
  createBuiltChunk('assets/base.js', {
    dynamicImports: ['assets/maker.js', 'assets/song.js', 'assets/engine.js'],
    code: '["assets/maker.js","assets/engine.js"]',
  }),
  createBuiltChunk('assets/song.js', { imports: ['assets/shared.js'] }),
  createBuiltChunk('assets/maker.js', {
    facadeModuleId: '/site/client/routes/account.maker.tsx?tsr-split=component',
    imports: ['assets/base.js', 'assets/shared.js'],
    viteMetadata: { importedCss: new Set(['assets/maker.css']) },
  }),
  createBuiltChunk('assets/shared.js'),
  createBuiltChunk('assets/engine.js', {
    facadeModuleId: '/site/client/engine/create-engine.ts',
    dynamicImports: ['assets/tone.js'],
    code: 'new Worker("/assets/render-worker-1.js")',
  }),
  createBuiltChunk('assets/tone.js', { imports: ['assets/base.js'] }),
  createBuiltAsset('assets/maker.css'),
  createBuiltAsset('assets/font.woff2'),
  createBuiltAsset('assets/render-worker-1.js', 'fetch("/assets/kernel-2.wasm")'),
  createBuiltAsset('assets/kernel-2.wasm'),
  createBuiltAsset('assets/unused.wasm'),
]

it('on-demand precache: finds the chunks, style sheets, worker scripts and WebAssembly that only on-demand modules need', () => {
  expect([...listOnDemandFiles([/\/routes\/account\.maker\.tsx\?tsr-split=component$/, /\/client\/engine\//], builtFiles)].sort()).toEqual([
    'assets/engine.js',
    'assets/kernel-2.wasm',
    'assets/maker.css',
    'assets/maker.js',
    'assets/render-worker-1.js',
    'assets/tone.js',
  ])
})

it('on-demand precache: the build fails when no chunk matches', () => {
  expect(() => listOnDemandFiles([/\/other\.ts$/], builtFiles)).toThrow('no chunk of the build matches')
})
