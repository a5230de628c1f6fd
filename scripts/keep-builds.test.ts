import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { replaceBuild } from './keep-builds.mjs'

let clientFolder = ''
beforeEach(() => {
  clientFolder = mkdtempSync(join(tmpdir(), 'varispeed-builds-'))
})
afterEach(() => rmSync(clientFolder, { recursive: true }))

function writeBuild(buildName: string, ...assetNames: string[]) {
  const nextFolder = join(clientFolder, 'next')
  mkdirSync(join(nextFolder, 'assets'), { recursive: true })
  for (const asset of assetNames) writeFileSync(join(nextFolder, 'assets', asset), `${buildName} ${asset}`)
  writeFileSync(join(nextFolder, 'index.html'), buildName)
  replaceBuild(nextFolder, join(clientFolder, 'client'), join(clientFolder, 'builds.json'))
}
const listServedAssets = () => readdirSync(join(clientFolder, 'client/assets')).sort()

it('keeps the hashed files of the last three builds beside the new ones', () => {
  writeBuild('one', 'main-1.js', 'same.js')
  writeBuild('two', 'main-2.js', 'same.js')
  writeBuild('three', 'main-3.js')
  expect(listServedAssets()).toEqual(['main-1.js', 'main-2.js', 'main-3.js', 'same.js'])
  writeBuild('four', 'main-4.js')
  expect(listServedAssets()).toEqual(['main-2.js', 'main-3.js', 'main-4.js', 'same.js'])
  writeBuild('five', 'main-5.js')
  expect(listServedAssets()).toEqual(['main-3.js', 'main-4.js', 'main-5.js'])
  expect(readFileSync(join(clientFolder, 'client/index.html'), 'utf8')).toBe('five')
  expect(readdirSync(clientFolder).sort()).toEqual(['builds.json', 'client'])
})

it('counts an identical build only once, and works without a record file', () => {
  writeBuild('one', 'main-1.js')
  for (let buildNumber = 0; buildNumber < 4; buildNumber++) writeBuild('two', 'main-2.js')
  expect(listServedAssets()).toEqual(['main-1.js', 'main-2.js'])
  rmSync(join(clientFolder, 'builds.json'))
  writeBuild('three', 'main-3.js')
  expect(listServedAssets()).toEqual(['main-3.js'])
})
