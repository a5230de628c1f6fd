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

function build(name: string, ...assets: string[]) {
  const next = join(folder, 'next')
  mkdirSync(join(next, 'assets'), { recursive: true })
  for (const asset of assets) writeFileSync(join(next, 'assets', asset), `${name} ${asset}`)
  writeFileSync(join(next, 'index.html'), name)
  replaceBuild(next, join(folder, 'client'), join(folder, 'builds.json'))
}
const served = () => readdirSync(join(folder, 'client/assets')).sort()

it('keeps the hashed files of the last three builds beside the new ones', () => {
  build('one', 'main-1.js', 'same.js')
  build('two', 'main-2.js', 'same.js')
  build('three', 'main-3.js')
  expect(served()).toEqual(['main-1.js', 'main-2.js', 'main-3.js', 'same.js'])
  build('four', 'main-4.js')
  expect(served()).toEqual(['main-2.js', 'main-3.js', 'main-4.js', 'same.js'])
  build('five', 'main-5.js')
  expect(served()).toEqual(['main-3.js', 'main-4.js', 'main-5.js'])
  expect(readFileSync(join(folder, 'client/index.html'), 'utf8')).toBe('five')
  expect(readdirSync(folder).sort()).toEqual(['builds.json', 'client'])
})

it('counts the same build only once, and needs no record', () => {
  build('one', 'main-1.js')
  for (let time = 0; time < 4; time++) build('two', 'main-2.js')
  expect(served()).toEqual(['main-1.js', 'main-2.js'])
  rmSync(join(folder, 'builds.json'))
  build('three', 'main-3.js')
  expect(served()).toEqual(['main-3.js'])
})
