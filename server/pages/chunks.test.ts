import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBuildManifest } from './chunks.ts'

let clientDir = ''
beforeAll(async () => {
  clientDir = await mkdtemp(join(tmpdir(), 'varispeed-chunks-'))
  await mkdir(join(clientDir, '.vite'))
  const routeNames = ['index', 'playlist', 'playlists', 'account', 'account.index', 'account.artwork', '$']
  const routeChunks = routeNames.map((name) => [`routes/${name}.tsx?tsr-split=component`, { file: `${name}.js`, css: [`${name}.css`] }])
  const manifest = Object.fromEntries([...routeChunks, ['entry.ts', { file: 'entry.js', isEntry: true }]])
  await writeFile(join(clientDir, '.vite/manifest.json'), JSON.stringify(manifest))
  for (const name of routeNames) await writeFile(join(clientDir, `${name}.css`), `.${name}{}`)
})
afterAll(() => rm(clientDir, { recursive: true, force: true }))

test('assets: a page has the scripts and styles of its route and of the layouts around it, the outermost layout first', () => {
  const { assetsOfPath } = readBuildManifest(clientDir)
  const listModules = (path: string) => assetsOfPath(path).modules
  expect(listModules('/')).toEqual(['/entry.js', '/index.js'])
  expect(listModules('/playlists')).toEqual(['/entry.js', '/playlists.js'])
  expect(listModules('/list')).toEqual(['/entry.js', '/playlist.js'])
  expect(listModules('/account')).toEqual(['/entry.js', '/account.js', '/account.index.js'])
  expect(listModules('/account/artwork')).toEqual(['/entry.js', '/account.js', '/account.artwork.js'])
  expect(assetsOfPath('/account/artwork').css).toBe('.account{}.account.artwork{}')
  expect(listModules('/$')).toEqual(['/entry.js', '/$.js'])
  expect(listModules('')).toEqual(['/entry.js'])
})
