import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBuildManifest } from './chunks.ts'

let clientDir = ''
beforeAll(async () => {
  clientDir = await mkdtemp(join(tmpdir(), 'varispeed-chunks-'))
  await mkdir(join(clientDir, '.vite'))
  const routeNames = ['index', 'playlists', 'account', 'account.index', 'account.artwork', '$']
  const routes = routeNames.map((name) => [`routes/${name}.tsx?tsr-split=component`, { file: `${name}.js`, css: [`${name}.css`] }])
  const manifest = Object.fromEntries([...routes, ['entry.ts', { file: 'entry.js', isEntry: true }]])
  await writeFile(join(clientDir, '.vite/manifest.json'), JSON.stringify(manifest))
  for (const name of routeNames) await writeFile(join(clientDir, `${name}.css`), `.${name}{}`)
})
afterAll(() => rm(clientDir, { recursive: true, force: true }))

test('assets: a page has the scripts and styles of its route and of the layouts around it, the outermost layout first', () => {
  const { assetsOfPath } = readBuildManifest(clientDir)
  const modulesOf = (path: string) => assetsOfPath(path).modules
  expect(modulesOf('/')).toEqual(['/entry.js', '/index.js'])
  expect(modulesOf('/playlists')).toEqual(['/entry.js', '/playlists.js'])
  expect(modulesOf('/account')).toEqual(['/entry.js', '/account.js', '/account.index.js'])
  expect(modulesOf('/account/artwork')).toEqual(['/entry.js', '/account.js', '/account.artwork.js'])
  expect(assetsOfPath('/account/artwork').css).toBe('.account{}.account.artwork{}')
  expect(modulesOf('/$')).toEqual(['/entry.js', '/$.js'])
  expect(modulesOf('')).toEqual(['/entry.js'])
})
