import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { replaceBuild } from './keep-builds.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'varispeed-builds-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function writeBuild(name: string, ...assets: string[]) {
  const nextFolder = join(folder, 'next')
  mkdirSync(join(nextFolder, 'assets'), { recursive: true })
  for (const asset of assets) writeFileSync(join(nextFolder, 'assets', asset), `${name} ${asset}`)
  writeFileSync(join(nextFolder, 'index.html'), name)
  replaceBuild(nextFolder, join(folder, 'client'), join(folder, 'builds.json'))
}
const listServedAssets = () => readdirSync(join(folder, 'client/assets')).sort()

it('keeps the hashed files of the last three builds beside the new ones', () => {
  writeBuild('one', 'main-1.js', 'same.js')
  writeBuild('two', 'main-2.js', 'same.js')
  writeBuild('three', 'main-3.js')
  expect(listServedAssets()).toEqual(['main-1.js', 'main-2.js', 'main-3.js', 'same.js'])
  writeBuild('four', 'main-4.js')
  expect(listServedAssets()).toEqual(['main-2.js', 'main-3.js', 'main-4.js', 'same.js'])
  writeBuild('five', 'main-5.js')
  expect(listServedAssets()).toEqual(['main-3.js', 'main-4.js', 'main-5.js'])
  expect(readFileSync(join(folder, 'client/index.html'), 'utf8')).toBe('five')
  expect(readdirSync(folder).sort()).toEqual(['builds.json', 'client'])
})

it('counts an identical build only once, and works without a record file', () => {
  writeBuild('one', 'main-1.js')
  for (let buildNumber = 0; buildNumber < 4; buildNumber++) writeBuild('two', 'main-2.js')
  expect(listServedAssets()).toEqual(['main-1.js', 'main-2.js'])
  rmSync(join(folder, 'builds.json'))
  writeBuild('three', 'main-3.js')
  expect(listServedAssets()).toEqual(['main-3.js'])
})
