import { expect, it } from 'vitest'
import { type BuiltFile, partsOnlyOf } from './later-parts.ts'

const chunk = (fileName: string, over: Partial<BuiltFile> = {}): BuiltFile => ({ type: 'chunk', fileName, code: '', ...over })
const asset = (fileName: string, source = ''): BuiltFile => ({ type: 'asset', fileName, source })

const files = [
  chunk('assets/index.js', { isEntry: true, imports: ['assets/base.js'] }),
  // The entry lists what each page needs, so that it comes at once.
  chunk('assets/base.js', {
    dynamicImports: ['assets/maker.js', 'assets/song.js', 'assets/engine.js'],
    code: '["assets/maker.js","assets/engine.js"]',
  }),
  chunk('assets/song.js', { imports: ['assets/shared.js'] }),
  chunk('assets/maker.js', {
    facadeModuleId: '/site/client/routes/account.maker.tsx?tsr-split=component',
    imports: ['assets/base.js', 'assets/shared.js'],
    viteMetadata: { importedCss: new Set(['assets/maker.css']) },
  }),
  chunk('assets/shared.js'),
  chunk('assets/engine.js', {
    facadeModuleId: '/site/client/engine/create-engine.ts',
    dynamicImports: ['assets/tone.js'],
    code: 'new Worker("/assets/render-worker-1.js")',
  }),
  chunk('assets/tone.js', { imports: ['assets/base.js'] }),
  asset('assets/maker.css'),
  asset('assets/font.woff2'),
  asset('assets/render-worker-1.js', 'fetch("/assets/kernel-2.wasm")'),
  asset('assets/kernel-2.wasm'),
  asset('assets/unused.wasm'),
]

it('are all that the modules need and nothing else does: chunks, style sheets, programs of workers, WebAssembly', () => {
  expect([...partsOnlyOf(['/routes/account.maker.tsx?tsr-split=component', '/engine/create-engine.ts'], files)].sort()).toEqual([
    'assets/engine.js',
    'assets/kernel-2.wasm',
    'assets/maker.css',
    'assets/maker.js',
    'assets/render-worker-1.js',
    'assets/tone.js',
  ])
})

it('breaks the build off where the page is not there', () => {
  expect(() => partsOnlyOf(['/other.ts'], files)).toThrow('The build has no part for /other.ts.')
})
